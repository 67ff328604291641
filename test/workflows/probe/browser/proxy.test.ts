import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testBrowsers } from '../../../support/browsers.ts';
import { codeOf, httpTarget, openFor } from '../support.ts';

const browsers = testBrowsers();
const proxy = suite('the proxy of the browser');

proxy.after(() => browsers.close());

const asBytes = (text: string) => Buffer.from(text).toString('latin1');

proxy('passes the fields of an answer on byte for byte', async () => {
  const seen: string[] = [];
  const target = await httpTarget((request, response) => {
    seen.push(`${request.url} ${request.headers.cookie ?? ''}`);
    const headers = { 'content-type': 'text/html', 'set-cookie': asBytes('city=München') };
    if (request.url === '/') response.writeHead(302, { ...headers, location: asBytes('/größe') });
    response.end('<title>here</title>');
  });
  const probes = openFor(target.url, { browsers });
  try {
    const { finalUrl } = await probes.browser.visit({ url: `${target.url}/` });
    assert.is(finalUrl, `${target.url}/gr%C3%B6%C3%9Fe`);
    assert.equal(seen.slice(0, 2), ['/ ', `/gr%C3%B6%C3%9Fe ${asBytes('city=München')}`]);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

proxy('is not opened for a visit of a scan that was canceled before', async () => {
  const stop = new AbortController();
  const probes = openFor('http://shop.localhost/', { browsers, signal: stop.signal });
  stop.abort(new Error('canceled'));
  try {
    assert.is(await codeOf(probes.browser.visit({ url: 'http://shop.localhost/' })), 'canceled');
  } finally {
    await probes.close();
  }
});

proxy('fetches scripts, style sheets and images once for all visits, and everything else each time', async () => {
  const asked: string[] = [];
  const types: Record<string, Record<string, string>> = {
    '/shop.js': { 'content-type': 'text/javascript' },
    '/shop.css': { 'content-type': 'text/css' },
    '/logo.svg': { 'content-type': 'image/svg+xml' },
    '/dated.js': {
      ...{ 'content-type': 'text/javascript', 'set-cookie': 'visit=1' },
      'last-modified': 'Mon, 05 Oct 2026 10:00:00 GMT',
    },
    '/mine.js': { 'content-type': 'text/javascript', 'cache-control': 'private' },
    '/counted.js': { 'content-type': 'text/javascript', 'set-cookie': 'seen=1' },
    '/other.js': { 'content-type': 'text/javascript', vary: 'Cookie' },
    '/others-today.js': {
      ...{ 'content-type': 'text/javascript', vary: 'Cookie', etag: '"5"' },
      'last-modified': new Date().toUTCString(),
    },
    '/framed.js': {
      ...{ 'content-type': 'text/javascript', vary: 'Accept-Encoding, Cookie' },
      'last-modified': 'Mon, 05 Oct 2026 10:00:00 GMT',
    },
    '/module.js': { 'content-type': 'text/javascript' },
    '/data.json': { 'content-type': 'application/json' },
    '/scripts.php?v=1': { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=300' },
    '/scripts.php?v=2': { 'content-type': 'text/javascript', 'cache-control': 'max-age=300' },
    '/scripts.php?v=3': { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=0' },
  };
  const bodies: Record<string, string> = {
    '/shop.js': 'document.title = "made by " + document.querySelector("p").textContent; fetch("/data.json")',
    '/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    '/data.json': '{}',
  };
  const target = await httpTarget((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    response.writeHead(200, types[path] ?? { 'content-type': 'text/html' });
    const page =
      '<link rel="stylesheet" href="/shop.css"><img src="/logo.svg"><p>it</p><script src="/dated.js"></script><script src="/mine.js"></script><script src="/counted.js"></script><script src="/other.js"></script><script src="/others-today.js"></script><script src="/framed.js"></script><script src="/scripts.php?v=1"></script><script src="/scripts.php?v=2"></script><script src="/scripts.php?v=3"></script><script type="module" crossorigin src="/module.js"></script><script src="/shop.js"></script>';
    response.end(types[path] ? (bodies[path] ?? '') : page);
  });
  const probes = openFor(target.url, { browsers });
  try {
    for (const path of ['/one', '/two']) {
      const { html } = await probes.browser.visit({ url: target.url + path });
      assert.match(html, '<title>made by it</title>');
    }
    const times = (path: string) => asked.filter((each) => each === path).length;
    const shared = ['/shop.js', '/shop.css', '/logo.svg', '/dated.js', '/framed.js', '/module.js', '/scripts.php?v=1'];
    for (const path of shared) assert.is(times(path), 1, path);
    const own = [
      '/mine.js',
      '/counted.js',
      '/other.js',
      '/others-today.js',
      '/data.json',
      '/scripts.php?v=2',
      '/scripts.php?v=3',
    ];
    for (const path of own) assert.is(times(path), 2, path);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

proxy.run();
