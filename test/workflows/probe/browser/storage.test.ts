import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WebStorage } from '../../../../workflows/model/browser.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { testBrowsers } from '../../../support/browsers.ts';
import { openFor } from '../support.ts';

const browsers = testBrowsers();
const test = suite('a session in the browser');
test.after(() => browsers.close());

const pages: Record<string, string> = {
  '/in': `<script>localStorage.setItem('token', 'abc'); sessionStorage.setItem('tab', '1')</script>`,
  '/show': `<script>document.body.textContent = [localStorage.token, sessionStorage.tab].join()</script>`,
  '/out': '<script>localStorage.clear(); sessionStorage.clear()</script>',
};

async function onSite<T>(
  work: (visit: (path: string, storage?: WebStorage) => Promise<string>, url: string) => Promise<T>,
) {
  const site = await startSite(({ path }) => (pages[path] === undefined ? undefined : html(pages[path])));
  const probes = openFor(site.url, { browsers });
  const visit = async (path: string, storage?: WebStorage) =>
    (await probes.browser.visit({ url: site.url + path, ...(storage ? { storage } : {}) })).html;
  try {
    return await work(visit, site.url);
  } finally {
    await probes.close();
    await site.close();
  }
}

test('what one visit leaves is there in the next, and nowhere else', async () => {
  await onSite(async (visit, url) => {
    const storage: WebStorage = {};
    await visit('/in', storage);
    assert.equal(storage, { [url]: { local: { token: 'abc' }, session: { tab: '1' } } });
    assert.match(await visit('/show', storage), 'abc,1');
    assert.not.match(await visit('/show'), 'abc');
  });
});

test('what a page takes out is gone', async () => {
  await onSite(async (visit, url) => {
    const storage: WebStorage = { [url]: { local: { token: 'abc' }, session: {} } };
    await visit('/out', storage);
    assert.equal(storage, { [url]: { local: {}, session: {} } });
  });
});

test('entries of another origin stay away from the page, and are kept', async () => {
  await onSite(async (visit) => {
    const other = { 'https://other.example': { local: { token: 'xyz' }, session: {} } };
    const storage: WebStorage = structuredClone(other);
    assert.not.match(await visit('/show', storage), 'xyz');
    assert.equal(storage['https://other.example'], other['https://other.example']);
  });
});

test('a session that ends when it comes with another User-Agent goes from a request on into the browser, and back', async () => {
  const sessions = new Map<string, string>();
  const site = await startSite(({ path, headers, cookies }) => {
    const agent = headers['user-agent'] ?? '';
    const id = `s${sessions.size}`;
    if (path === '/enter') {
      sessions.set(id, agent);
      return { headers: { 'content-type': 'text/html', 'set-cookie': `sid=${id}; Path=/` }, body: '<p>Come in</p>' };
    }
    if (sessions.get(cookies.sid ?? '') !== agent) sessions.delete(cookies.sid ?? '');
    return html(sessions.has(cookies.sid ?? '') ? '<p>Your berth</p>' : '<p>Log in</p>');
  });
  const probes = openFor(site.url, { browsers });
  try {
    const jar = probes.http.newJar();
    await probes.http.get(`${site.url}/enter`, { jar });
    assert.match((await probes.browser.visit({ url: `${site.url}/own`, jar })).html, 'Your berth');
    assert.match((await probes.http.get(`${site.url}/own`, { jar, fresh: true })).text, 'Your berth');
  } finally {
    await probes.close();
    await site.close();
  }
});

test.run();
