import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createKeptAnswers } from '../../../../workflows/probe/http/cache.ts';
import { httpTarget, openFor } from '../support.ts';

const cache = suite('answers that instruments share');

async function counting(delayMs = 0) {
  const asked: string[] = [];
  const target = await httpTarget((request, response) => {
    asked.push(`${request.url} ${request.headers.cookie ?? ''}`.trim());
    const isFirst = request.url === '/begin';
    if (isFirst) response.setHeader('Set-Cookie', 'session=1').setHeader('Location', '/inside');
    response.statusCode = isFirst ? 302 : 200;
    setTimeout(() => response.end('page'), delayMs);
  });
  const kept = createKeptAnswers();
  return { asked, target, kept, open: () => openFor(target.url, { kept }) };
}

cache('are asked for once by several activities', async () => {
  const { asked, target, open } = await counting();
  const [one, other] = [open(), open()];
  try {
    await one.http.get(`${target.url}/a`);
    await one.close();
    assert.is((await other.http.get(`${target.url}/a`)).text, 'page');
    await other.http.get(`${target.url}/a`, { fresh: true });
    assert.equal(asked, ['/a', '/a']);
  } finally {
    await Promise.all([other.close(), target.close()]);
  }
});

cache('do not end for others with the activity that asked', async () => {
  const { asked, target, open } = await counting(300);
  const [one, other] = [open(), open()];
  try {
    const asking = one.http.get(`${target.url}/a`).catch(() => undefined);
    const waiting = other.http.get(`${target.url}/a`);
    await one.close();
    await asking;
    assert.is((await waiting).text, 'page');
    assert.is(asked.at(-1), '/a');
  } finally {
    await Promise.all([other.close(), target.close()]);
  }
});

cache('are those of nobody as long as a session has not begun', async () => {
  const { asked, target, open } = await counting();
  const probes = open();
  const jar = probes.http.newJar();
  try {
    await probes.http.get(`${target.url}/a`, { jar });
    await probes.http.get(`${target.url}/a`);
    assert.equal(asked, ['/a']);
    await probes.http.get(`${target.url}/begin`, { jar, maxRedirects: 1 });
    await probes.http.get(`${target.url}/begin`, { maxRedirects: 1 });
    assert.equal(asked.slice(1), ['/begin', '/inside session=1', '/begin', '/inside']);
    await probes.http.get(`${target.url}/b`, { jar });
    await probes.http.get(`${target.url}/b`);
    assert.equal(asked.slice(-2), ['/b session=1', '/b']);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

cache.run();
