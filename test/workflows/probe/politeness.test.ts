import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPacer } from '../../../workflows/probe/budget/pacer.ts';
import { further } from '../../support/further.ts';
import { httpsTarget, httpTarget, openFor, type Target } from './support.ts';

const politeness = suite('politeness, counted at the target');

/** Most requests that arrived within any one second. */
function busiestSecond(timesMs: readonly number[]): number {
  return Math.max(...timesMs.map((start) => timesMs.filter((time) => time >= start && time < start + 1000).length));
}

politeness('holds at most 5 connections, whatever the instruments do at the same time', async () => {
  const slow = async (_request: unknown, response: { end(text: string): unknown }) => {
    await sleep(20);
    response.end('x');
  };
  const target: Target = await httpsTarget(slow);
  const probes = openFor(target.url);
  try {
    const work = Array.from({ length: 40 }, (_, index) => [
      probes.http.get(`${target.url}/${index}`),
      probes.http.get(`${target.url}/${index}`, { fresh: index % 4 === 0 }),
      ...(index % 5 === 0 ? [probes.tls.handshake({ host: target.host, port: target.port })] : []),
    ]);
    await Promise.all(work.flat());
    assert.ok(target.mostAtOnce() <= 5, `${target.mostAtOnce()} connections`);
    assert.ok(target.connections() > 5);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

politeness('stays below the rate in every second, from the first request on', async () => {
  const timesMs: number[] = [];
  const target = await httpTarget((_request, response) => {
    timesMs.push(performance.now());
    response.end('x');
  });
  const probes = openFor(target.url, { share: { requestsPerSecond: 40 } });
  try {
    await Promise.all(Array.from({ length: 100 }, (_, index) => probes.http.get(`${target.url}/${index}`)));
    // Sent evenly, they arrive unevenly when the machine is busy: one in five may fall into the next second.
    assert.ok(busiestSecond(timesMs) <= 48, `${busiestSecond(timesMs)} requests in a second`);
    assert.ok(timesMs.length === 100);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

politeness('waits as long as a 429 asks for, goes on slower, and says so', async () => {
  const timesMs: number[] = [];
  const target = await httpTarget((_request, response) => {
    timesMs.push(performance.now());
    if (timesMs.length === 1) response.writeHead(429, { 'retry-after': '1' });
    response.end('x');
  });
  const probes = openFor(target.url, { share: { requestsPerSecond: 50 } });
  try {
    for (let index = 0; index < 6; index++) await probes.http.get(`${target.url}/${index}`);
    const [first = 0, second = 0] = timesMs;
    assert.ok(second - first >= 950, `${second - first} ms`);
    // Six requests 40 ms apart; one of them may arrive late on a busy machine.
    const restMs = (timesMs.at(-1) ?? 0) - second;
    assert.ok(timesMs.length === 7 && restMs >= 150, `${restMs} ms`);
    assert.match(probes.obstruction().slowed ?? '', /429/);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

politeness('keeps the distance between activities that follow each other', async () => {
  const timesMs: number[] = [];
  const target = await httpTarget((_request, response) => {
    timesMs.push(performance.now());
    response.end('x');
  });
  try {
    for (let index = 0; index < 10; index++) {
      const probes = openFor(target.url, { share: { requestsPerSecond: 20 } });
      await probes.http.get(`${target.url}/${index}`);
      await probes.close();
    }
    const allMs = (timesMs.at(-1) ?? 0) - (timesMs[0] ?? 0);
    assert.ok(timesMs.length === 10 && allMs >= 9 * 45, `${timesMs.length} requests in ${allMs} ms`);
  } finally {
    await target.close();
  }
});

politeness('does not blame the target for its own waiting', async () => {
  const target = await httpTarget((_request, response) => response.end('x'));
  const probes = openFor(target.url, { share: { requestsPerSecond: 5 } });
  try {
    const work = Array.from({ length: 6 }, (_, index) => probes.http.get(`${target.url}/${index}`, { timeoutMs: 500 }));
    assert.is((await Promise.all(work)).length, 6);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

/** In milliseconds of work, which keep this process from anything else. */
function workFor(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}

/** Why requests slowed down, of which the later half are answered behind what `late` does. */
async function slowedBy(late: () => unknown): Promise<string | undefined> {
  let count = 0;
  const target = await httpTarget(async (_request, response) => {
    if (++count > 16) await late();
    response.end('x');
  });
  const probes = openFor(target.url, { share: { requestsPerSecond: 100 } });
  try {
    for (let index = 0; index < 32; index++) await probes.http.get(`${target.url}/${index}`);
    return probes.obstruction().slowed;
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
}

further(politeness)('slows down for a target that takes longer, and not for its own work', async () => {
  assert.match((await slowedBy(() => sleep(300))) ?? '', /answers took 3\d\d ms instead of/);
  assert.is(await slowedBy(() => workFor(300)), undefined);
});

politeness('gives up at once what its deadline leaves no time for', async () => {
  const target = await httpTarget((_request, response) => response.end('x'));
  const probes = openFor(target.url, { share: { requestsPerSecond: 2, deadlineMs: Date.now() + 1_400 } });
  try {
    const work = Array.from({ length: 4 }, (_, index) => probes.http.get(`${target.url}/${index}`));
    const codes = (await Promise.allSettled(work)).map((each) => (each.status === 'rejected' ? each.reason.code : ''));
    assert.equal(codes, ['', '', 'out_of_time', 'out_of_time']);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

politeness('sends no more requests than its share', async () => {
  let count = 0;
  const target = await httpTarget((_request, response) => {
    count++;
    response.end('x');
  });
  const probes = openFor(target.url, { share: { maxRequests: 7 } });
  try {
    await Promise.allSettled(Array.from({ length: 20 }, (_, index) => probes.http.get(`${target.url}/${index}`)));
    assert.is(count, 7);
    assert.is(probes.requests(), 7);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

const pacer = suite('the pacer');

pacer('slows down as answers take longer, and recovers up to its ceiling', () => {
  const pace = createPacer(100);
  const answer = (elapsedMs: number, times: number) => {
    for (let index = 0; index < times; index++) pace.observe({ status: 200, elapsedMs });
  };
  answer(50, 32);
  assert.is(pace.requestsPerSecond(), 100);
  answer(1_000, 16);
  assert.ok(pace.requestsPerSecond() < 70);
  assert.match(pace.slowedDown() ?? '', /1000 ms instead of 50 ms/);
  answer(50, 200);
  assert.is(pace.requestsPerSecond(), 100);
});

pacer('does not mind a single slow page', () => {
  const pace = createPacer(100);
  for (let index = 0; index < 64; index++) pace.observe({ status: 200, elapsedMs: index % 5 === 0 ? 5_000 : 50 });
  assert.is(pace.slowedDown(), undefined);
});

pacer('never goes below a crawl, however often it is refused', () => {
  const pace = createPacer(20);
  for (let index = 0; index < 100; index++) pace.observe({ status: 503, elapsedMs: 1 });
  assert.ok(pace.requestsPerSecond() >= 0.5);
});

politeness.run();
pacer.run();
