import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { ProbeError } from '../../workflows/model/probe-error.ts';
import type { BrowserPool } from '../../workflows/probe/browser/launch.ts';
import { httpTarget, openFor } from '../workflows/probe/support.ts';

const mebibyte = 1024 * 1024;
const maxGrowthMiB = 64;
const visitMs = 6_000;
const overMs = 2_000;

type TalkativePage = {
  script: string;
  /** Tracing is on for this word. */
  traces?: string;
  /** How it is looked at; by a visit unless this says otherwise. */
  by?: 'exploration' | 'login';
};

const form = `document.write('<form><input name=user><input type=password name=pass><button>Log in</button></form>');`;

/** What a page can say, each as much as it can. */
export const talkativePages: Record<string, TalkativePage> = {
  'text of 100 MB in its tree': { script: `document.write('<p>'); document.body.append('t'.repeat(100e6))` },
  'a tree that nests without end': {
    script: `let at = document.body; for (let i = 0; i < 100_000; i++) { const next = document.createElement('b'); at.append(next); at = next }`,
  },
  'a tree of a million elements': {
    script: `document.body ?? document.write('<p>'); document.body.innerHTML = '<i a=b></i>'.repeat(1e6)`,
  },
  'entries of storage without end': {
    script: `for (let i = 0; i < 20_000; i++) try { localStorage.setItem('k' + i, '"'.repeat(200)); sessionStorage.setItem('k' + i, '"'.repeat(200)) } catch {}`,
  },
  'a login of 100,000 fields': { script: `document.write('<input type=password>'.repeat(1e5))`, by: 'login' },
  'a login whose labels are long': {
    script: `document.write('<form>' + '<label>' + 'l'.repeat(1e6) + '<input name=a></label>'.repeat(60) + '<input type=password></form>')`,
    by: 'login',
  },
  'what is kept after a login': {
    script: `${form} document.forms[0].onsubmit = () => { localStorage.setItem('state', '[' + '1,'.repeat(1e5) + '1]'); document.forms[0].remove(); return false }`,
    by: 'login',
  },
  'requests after a login': {
    script: `${form} document.forms[0].onsubmit = () => { for (let i = 0; i < 1_500; i++) fetch('/' + i, { headers: { 'x-token': 't'.repeat(4000) } }); return false }`,
    by: 'login',
  },
  'controls without end': {
    script: `document.write('<button onclick="this.after(this.cloneNode(true))">b</button>'.repeat(2e4))`,
    by: 'exploration',
  },
  'what it says in place of the agent': {
    script: `const real = Object.defineProperty; for (const name of Object.getOwnPropertyNames(window)) if (name.startsWith('agent')) real(window, name, { value: { collect: () => ({ controls: Array(1e6).fill({}), left: 1e9 }), routes: () => Array(1e6).fill('x'.repeat(100)), cut: () => NaN, fill: () => -1, use: () => 'x'.repeat(50e6) } })`,
    by: 'exploration',
  },
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
async function visit(browsers: BrowserPool, { script, traces, by }: TalkativePage) {
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
    const page = { url: `${target.url}/`, timeoutMs: visitMs };
    const fields = { username: '', password: '', code: '', submit: '' };
    const looking =
      by === 'login'
        ? probes.browser.signIn({
            ...page,
            jar: probes.http.newJar(),
            username: 'ann',
            password: 'secret-of-ann',
            fields,
          })
        : by === 'exploration'
          ? probes.browser.explore(page)
          : probes.browser.visit({ ...page, ...(traces && { trace: { words: [traces] } }) });
    await looking.catch((error: unknown) => {
      if (!(error instanceof ProbeError)) throw error;
    });
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
        const { tookMs, grownMiB: first } = await visit(browsers, page);
        let grownMiB = first;
        // Garbage that is not collected yet counts as well: what a visit needs is the least of a few.
        for (let again = 0; again < 2 && grownMiB > maxGrowthMiB; again++)
          grownMiB = Math.min(grownMiB, (await visit(browsers, page)).grownMiB);
        assert.ok(grownMiB <= maxGrowthMiB, `grew by ${Math.round(grownMiB)} MiB`);
        assert.ok(tookMs <= visitMs + overMs, `took ${Math.round(tookMs)} ms`);
        assert.equal(failures, []);
      } finally {
        process.off('unhandledRejection', note);
      }
    });
}
