import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProbeError } from '../../workflows/model/probe-error.ts';
import type { BrowserPool } from '../../workflows/probe/browser/launch.ts';
import { testBrowsers } from '../support/browsers.ts';
import { further } from '../support/further.ts';
import { codeOf, httpTarget, openFor } from '../workflows/probe/support.ts';

const lines: Record<string, unknown>[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) });
const browsers = testBrowsers({ logger });
const ends = suite('a browser that ends');

ends.after(() => browsers.close());

/** The processes of the running browser of one kind. */
async function pidsOf(pool: BrowserPool, kind: 'browser' | 'renderer'): Promise<number[]> {
  const session = await (await pool.browser()).newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.flatMap(({ type, id }) => (type === kind ? id : []));
}

/** The process of the running browser. */
async function pidOf(pool: BrowserPool): Promise<number> {
  const [pid] = await pidsOf(pool, 'browser');
  if (pid === undefined) throw new Error('the browser has no process');
  return pid;
}

/** A site that kills the browser, or the processes of its pages, the first `times` that "/deadly" is asked for, or posted to. */
async function deadlySite(times: number, kind: 'browser' | 'renderer' = 'browser') {
  const asked: string[] = [];
  const target = await httpTarget((request, response) => {
    request.resume();
    asked.push(`${request.method} ${request.url}`);
    const deaths = asked.filter((line) => line.endsWith('/deadly')).length;
    if (request.url === '/deadly' && deaths <= times)
      return void pidsOf(browsers, kind).then((pids) => {
        for (const pid of pids) process.kill(pid, 'SIGKILL');
      });
    response.setHeader('content-type', 'text/html');
    response.end(
      request.url === '/form'
        ? `<title>form</title><script>fetch('/deadly', { method: 'POST', body: '{"query":"{ items { id } }"}' })</script>`
        : `<title>alive</title>${request.url === '/page' ? '<img src="/deadly">' : ''}`,
    );
  });
  const probes = openFor(target.url, { browsers });
  const close = async () => {
    await Promise.all([probes.close(), target.close()]);
  };
  return { target, probes, asked, close };
}

further(ends)('is replaced, and the visit that it took with it repeated once', async () => {
  const site = await deadlySite(1);
  try {
    const { title } = await site.probes.browser.visit({ url: `${site.target.url}/deadly` });
    assert.is(title, 'alive');
    assert.equal(site.asked, ['GET /deadly', 'GET /deadly']);
  } finally {
    await site.close();
  }
});

ends('in part, by the process of a page, is visited once more', async () => {
  const site = await deadlySite(1, 'renderer');
  try {
    const { title, unread } = await site.probes.browser.visit({ url: `${site.target.url}/page` });
    assert.equal([title, unread.parts], ['alive', 0]);
    assert.equal(site.asked, ['GET /page', 'GET /deadly', 'GET /page', 'GET /deadly']);
  } finally {
    await site.close();
  }
});

ends('is said to be the audit’s own, with how it ended, when that happens again', async () => {
  const site = await deadlySite(5);
  try {
    const failure = await site.probes.browser.visit({ url: `${site.target.url}/deadly` }).catch((error) => error);
    assert.instance(failure, ProbeError);
    assert.is(failure.code, 'browser_failed');
    assert.match(failure.message, /the audit's own browser ended .*SIGKILL/);
    assert.is(site.asked.length, 2);
  } finally {
    await site.close();
  }
});

ends('is not asked again for what may have changed the target', async () => {
  const site = await deadlySite(5);
  try {
    assert.is(await codeOf(site.probes.browser.visit({ url: `${site.target.url}/form` })), 'browser_failed');
    assert.equal(site.asked, ['GET /form', 'POST /deadly']);
  } finally {
    await site.close();
  }
});

further(ends)('leaves in the log by which signal, and what it said last', async () => {
  lines.length = 0;
  const browser = await browsers.browser();
  const gone = new Promise((resolve) => browser.once('disconnected', resolve));
  process.kill(await pidOf(browsers), 'SIGTRAP');
  await gone;
  assert.match((await browsers.endOf(browser)) ?? '', /^signal SIGTRAP/);
  const line = lines.find(({ msg }) => msg === 'the browser ended by itself');
  assert.is(line?.signal, 'SIGTRAP');
  assert.ok(Array.isArray(line?.stderr));
});

further(ends)('or stands still is given up in time, slot and all', async () => {
  const target = await httpTarget((_request, response) => response.end('<title>here</title>'));
  const probes = openFor(target.url, { browsers });
  try {
    process.kill(await pidOf(browsers), 'SIGSTOP');
    const startMs = performance.now();
    const url = `${target.url}/`;
    // As many as there are slots.
    const visits = [1, 2].map(() => codeOf(probes.browser.visit({ url, timeoutMs: 2_000 })));
    assert.equal(await Promise.all(visits), ['timeout', 'timeout']);
    assert.ok(performance.now() - startMs < 6_000);
    assert.is((await probes.browser.visit({ url, timeoutMs: 20_000 })).title, 'here');
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

ends('because it was asked to is not logged', async () => {
  const pool = testBrowsers({ logger });
  await pool.browser();
  lines.length = 0;
  await pool.close();
  await sleep(50);
  assert.equal(
    lines.filter(({ level }) => Number(level) > 30),
    [],
  );
});

ends.run();
