import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrowserPool } from '../../workflows/probe/browser/launch.ts';
import { httpTarget, openFor } from '../workflows/probe/support.ts';

const mebibyte = 1024 * 1024;
const maxGrowthMiB = 64;
const visitMs = 6_000;
const overMs = 2_000;

/** What a page can say, each as much as it can: by its script, with tracing on where it names the words. */
export const talkativePages: Record<string, { script: string; traces?: string }> = {
  'cookies that script makes up': {
    script: `Object.defineProperty(document, 'cookie', { get: () => 'c'.repeat(200e6) })`,
  },
  'storage that script makes up': {
    script: `for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get: () => ({ entry: 's'.repeat(200e6) }) })`,
  },
  'storage that is full': { script: `for (let i = 0; i < 40; i++) localStorage.setItem('k' + i, 'v'.repeat(120_000))` },
  'a title': { script: `document.title = 't'.repeat(100e6)` },
  'an address': {
    script: `let i = 0; const go = () => { history.replaceState(0, '', '?' + 'u'.repeat(1.9e6) + i++); if (i < 60) setTimeout(go) }; go()`,
  },
  'long lines on the console': { script: `for (let i = 0; i < 60; i++) console.log('l'.repeat(10e6))` },
  'lines of a thousand values': {
    script: `for (let i = 0; i < 300; i++) console.log(...Array.from({ length: 1000 }, (_, n) => 'value ' + n))`,
  },
  'lines without end': { script: `for (let i = 0; i < 200_000; i++) console.log('line ' + i)` },
  dialogs: { script: `for (let i = 0; i < 20; i++) alert('d'.repeat(20e6))` },
  errors: {
    script: `for (let i = 0; i < 20; i++) setTimeout(() => { throw new Error('e'.repeat(10e6)) });
      for (let i = 0; i < 20; i++) Promise.reject(new Error('r'.repeat(10e6)))`,
  },
  'versions of libraries': {
    script: `const push = Array.prototype.push;
      Array.prototype.push = function () { for (let i = 0; i < 1e6; i++) push.call(this, 'version ' + i) };
      window.Vue = { version: '3.0.0' }`,
  },
  'thousands of frames': {
    script: `for (let i = 0; i < 3000; i++) document.body.append(document.createElement('iframe'))`,
  },
  'frames that come and go': {
    script: `setInterval(() => { for (let i = 0; i < 50; i++) { const f = document.createElement('iframe'); document.body.append(f); f.remove() } })`,
  },
  workers: {
    script: `const url = URL.createObjectURL(new Blob(['for (let i = 0; i < 1000; i++) console.log("w".repeat(4000))']));
      for (let i = 0; i < 50; i++) new Worker(url)`,
  },
  'calls of sinks': {
    script: `for (let i = 0; i < 200; i++) document.createElement('p').innerHTML = 'needle' + 'x'.repeat(5e6)`,
    traces: 'needle',
  },
  'calls that are none': {
    script: `const call = globalThis.__playwright__binding__; for (const text of ['', 'none', 'null', '{}', 'x'.repeat(50e6)]) try { call(text) } catch {}`,
    traces: 'needle',
  },
};

/** Visits a page with this script. @returns how far the worker grew, and how long it took */
async function visit(browsers: BrowserPool, script: string, traces: string | undefined) {
  const target = await httpTarget((request, response) => {
    request.resume();
    const body = request.url === '/' ? `<script>${script}</script>` : '';
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>hostile</title><body>${body}`);
  });
  const probes = openFor(target.url, { browsers });
  // What a first visit needs once is no growth.
  await probes.browser.visit({ url: `${target.url}/calm`, timeoutMs: 30_000 });
  const before = process.memoryUsage.rss();
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  const startMs = performance.now();
  try {
    await probes.browser
      .visit({ url: `${target.url}/`, timeoutMs: visitMs, ...(traces && { trace: { words: [traces] } }) })
      .catch(() => {});
    return { tookMs: performance.now() - startMs, grownMiB: (most - before) / mebibyte };
  } finally {
    clearInterval(sampler);
    await Promise.all([probes.close(), target.close()]);
  }
}

/** @param names of talkative pages: a test is registered for each */
export function testTalkativePages(pages: Test, browsers: BrowserPool, names: readonly string[]): void {
  for (const name of names)
    pages(`costs the worker little memory, and ends in time: ${name}`, async () => {
      const page = talkativePages[name];
      if (!page) throw new Error(`there is no page ${name}`);
      const failures: unknown[] = [];
      const note = (failure: unknown) => failures.push(failure);
      process.on('unhandledRejection', note);
      try {
        const { tookMs, grownMiB } = await visit(browsers, page.script, page.traces);
        assert.ok(grownMiB <= maxGrowthMiB, `grew by ${Math.round(grownMiB)} MiB`);
        assert.ok(tookMs <= visitMs + overMs, `took ${Math.round(tookMs)} ms`);
        assert.equal(failures, []);
      } finally {
        process.off('unhandledRejection', note);
      }
    });
}
