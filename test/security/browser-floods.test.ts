import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProbeError } from '../../workflows/model/probe-error.ts';
import { addRefused, newWatch } from '../../workflows/probe/browser/watch.ts';
import { testBrowsers } from '../support/browsers.ts';
import { further } from '../support/further.ts';
import { httpTarget, openFor } from '../workflows/probe/support.ts';

const browsers = testBrowsers();
const floods = suite('a page that floods the worker through the browser');

floods.after(() => browsers.close());

/** Visits a page with this script, within a budget that lets nothing wait. */
async function visitScript(script: string) {
  const target = await httpTarget((request, response) => {
    request.resume();
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>hostile</title><script>${script}</script>`);
  });
  const probes = openFor(target.url, { browsers });
  try {
    return await probes.browser.visit({ url: `${target.url}/`, timeoutMs: 30_000 });
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
}

further(floods)('posts more than is passed on, and ends nothing but those requests', async () => {
  const failures: unknown[] = [];
  const note = (failure: unknown) => failures.push(failure);
  process.on('unhandledRejection', note);
  try {
    // The page is not loaded before it has been refused.
    const { title } = await visitScript(`
      const request = new XMLHttpRequest();
      request.open('POST', '/', false);
      try { request.send('x'.repeat(3_000_000)) } catch { document.title = 'refused' }`);
    assert.is(title, 'refused');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(failures, []);
  } finally {
    process.off('unhandledRejection', note);
  }
});

further(floods)('asks without end for what is refused, and is reported as far as anybody reads', async () => {
  const { title, requests } = await visitScript(`
    let count = 0;
    const ask = () => fetch('http://o' + count++ + '.invalid/' + 'x'.repeat(12_000), { mode: 'no-cors' }).catch(ask);
    for (let loop = 0; loop < 60; loop++) ask()`);
  assert.is(title, 'hostile');
  assert.ok(requests.length > 10 && requests.length <= 2_001, String(requests.length));
  assert.ok(requests.every(({ url }) => url.length <= 4_096));
});

floods('takes nothing from the page after it', async () => {
  const violations = (count: number) => `
    const policy = { httpEquiv: 'Content-Security-Policy', content: "img-src 'none'" };
    document.head.append(Object.assign(document.createElement('meta'), policy));
    for (let index = 0; index < ${count}; index++) new Image().src = '/' + index`;
  const first = await visitScript(violations(700));
  assert.ok(first.unread.parts > 0);
  const { unread, cspViolations } = await visitScript(violations(1));
  assert.equal([unread.parts, cspViolations.length], [0, 1]);
});

floods('is reported without comparing each of its requests with each other', () => {
  const watch = newWatch();
  const refused = new ProbeError('out_of_scope', 'elsewhere');
  for (let index = 0; index < 1_000; index++)
    watch.requests.push({ url: `http://a${index}.invalid/`, method: 'GET', refused: false, headers: [] });
  const proxied = Array.from({ length: 20_000 }, (_, index) => ({
    method: 'CONNECT',
    url: `https://b${index % 2_000}.invalid/`,
    refused,
  }));
  const startMs = performance.now();
  addRefused(watch, proxied);
  assert.ok(performance.now() - startMs < 5_000);
  assert.is(watch.requests.length, 3_000);
});

floods.run();
