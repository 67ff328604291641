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

proxy.run();
