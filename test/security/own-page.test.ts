import type { RequestListener } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrowserResult } from '../../workflows/model/browser.ts';
import type { CookieJar } from '../../workflows/model/http.ts';
import { createJar } from '../../workflows/probe/http/cookies.ts';
import { testBrowsers } from '../support/browsers.ts';
import { firstOfKinds, further } from '../support/further.ts';
import { codeOf, httpsTarget, httpTarget, openFor, type Target } from '../workflows/probe/support.ts';

const browsers = testBrowsers();
const ownPage = suite('a page of our own in the browser');

ownPage.after(() => browsers.close());

const foreign = 'https://k3v9x2mp7q.invalid/';

/** A page that reads an address with the visitor's cookies and says what it got. */
const reads = (url: string, more = '') => `<!doctype html><title>ours</title><p id="read"></p><script>
  const request = new XMLHttpRequest();
  try {
    request.open('GET', ${JSON.stringify(url)}, false);
    request.withCredentials = true;
    ${more}
    request.send();
    read.textContent = 'read ' + request.responseText;
  } catch { read.textContent = 'refused'; }
</script>`;

const readIn = ({ html }: BrowserResult): string | undefined => /<p id="read">(.*?)<\/p>/s.exec(html)?.[1];

/** A site whose answers hold the cookies that came, with the headers that a request asks for in its query. */
const echo: RequestListener = ({ url = '', headers }, response) => {
  const { searchParams } = new URL(url, 'https://any.invalid');
  const origin = searchParams.get('allow')?.replace('own', headers.origin ?? '');
  response.setHeader('content-type', 'text/plain');
  if (origin) response.setHeader('access-control-allow-origin', origin);
  if (searchParams.has('credentials')) response.setHeader('access-control-allow-credentials', 'true');
  response.end(`for ${headers.cookie ?? 'nobody'}`);
};

async function onSite(listener: RequestListener, work: (target: Target, visit: Visit) => Promise<void>): Promise<void> {
  const target = await httpsTarget(listener);
  const probes = openFor(target.url, { browsers });
  const visit: Visit = (page, { url = foreign, cookies = [], jar = probes.http.newJar(), headers = [] } = {}) => {
    jar.store(target.url, cookies);
    return probes.browser.visit({ url, page, jar, headers });
  };
  try {
    await work(target, visit);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
}

type Visit = (
  page: string,
  options?: { url?: string; cookies?: string[]; jar?: CookieJar; headers?: [string, string][] },
) => Promise<BrowserResult>;

further(ownPage)('reads of the audited host what its answers allow, and nothing else', async () => {
  const session = ['session=abc; Path=/; Secure; SameSite=None'];
  const cases: [what: string, path: string, read: string][] = [
    ['the origin named, with credentials', '/?allow=own&credentials', 'read for session=abc'],
    ['no header', '/', 'refused'],
    ['credentials without an origin', '/?credentials', 'refused'],
    ['an origin without credentials', '/?allow=own', 'refused'],
    ['every origin, which is none with credentials', '/?allow=*&credentials', 'refused'],
    ['the origin "null"', '/?allow=null&credentials', 'refused'],
    ['another origin', '/?allow=https://elsewhere.invalid&credentials', 'refused'],
  ];
  await onSite(echo, async (target, visit) => {
    for (const [what, path, read] of cases)
      assert.is(readIn(await visit(reads(target.url + path), { cookies: session })), read, what);
  });
});

ownPage('asks before it sends what simple requests do not have, and goes by the answer', async () => {
  const seen: string[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(`${request.method} ${request.headers.origin}`);
    echo(request, response);
  };
  await onSite(listener, async (target, visit) => {
    const page = reads(`${target.url}/?allow=own&credentials`, "request.setRequestHeader('x-own', '1');");
    assert.is(readIn(await visit(page)), 'refused');
    assert.equal(seen, ['OPTIONS https://k3v9x2mp7q.invalid']);
  });
});

const cookieRules: [attributes: string, toAnotherSite: boolean, toTheSameSite: boolean][] = [
  ['Path=/; Secure; SameSite=None', true, true],
  ['Path=/; Secure; SameSite=Lax', false, true],
  ['Path=/; Secure; SameSite=Strict', false, true],
  ['Path=/; Secure', false, true],
  ['Path=/', false, true],
  ['Path=/; SameSite=None', false, false],
  ['Path=/; Secure; SameSite=None; Partitioned', false, true],
  ['Path=/elsewhere; Secure; SameSite=None', false, false],
];

for (const [attributes, toAnotherSite, toTheSameSite] of firstOfKinds(
  cookieRules,
  ([, toAnotherSite]) => toAnotherSite,
  1,
)) {
  const words = [
    toAnotherSite ? 'from every site' : 'from no other site',
    toTheSameSite ? 'from its own' : 'not even its own',
  ];
  ownPage(`a cookie with "${attributes}" is sent ${words.join(', and ')}`, async () => {
    await onSite(echo, async (target, visit) => {
      const address = `${target.url}/?allow=own&credentials`;
      for (const [url, isSent] of [
        [foreign, toAnotherSite],
        ['https://k3v9x2mp7q.shop.localhost/', toTheSameSite],
      ] as const) {
        const result = await visit(reads(address), { url, cookies: [`session=abc; ${attributes}`] });
        assert.is(readIn(result), isSent ? 'read for session=abc' : 'read for nobody', url);
        assert.equal(result.cookiesSent, isSent ? [`${address} session`] : [], url);
      }
    });
  });
}

ownPage('neither the headers of a session nor what a foreign page makes the site set are taken along', async () => {
  const seen: (string | undefined)[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(request.headers.authorization);
    response.setHeader('set-cookie', 'session=new; Path=/; Secure; SameSite=None');
    echo(request, response);
  };
  await onSite(listener, async (target, visit) => {
    const jar = createJar();
    const cookies = ['session=abc; Path=/; Secure; SameSite=None'];
    const page = reads(`${target.url}/?allow=own&credentials`);
    await visit(page, { jar, cookies, headers: [['Authorization', 'Bearer t0ken']] });
    assert.equal(seen, [undefined]);
    assert.is(jar.header(target.url), 'session=abc');
  });
});

ownPage('reaches nothing but the audited host and itself', async () => {
  const elsewhere = await httpTarget((_request, response) => response.end('secret'), 'other.localhost');
  const page = `<!doctype html><title>ours</title>
    <link rel="preconnect" href="https://other.localhost:${elsewhere.port}">
    <img src="http://127.0.0.1:${elsewhere.port}/img"><img src="https://k3v9x2mp7q.invalid/own.png">
    <img src="https://another.invalid/"><img src="http://169.254.169.254/latest/meta-data/">
    <iframe src="http://other.localhost:${elsewhere.port}/frame"></iframe>
    <script>
      for (const url of ['ws://127.0.0.1:${elsewhere.port}/', 'wss://k3v9x2mp7q.invalid/', 'wss://k3v9x2mp7q.invalid:${elsewhere.port}/'])
        try { new WebSocket(url) } catch {}
      navigator.sendBeacon('http://other.localhost:${elsewhere.port}/beacon', 'x');
      const own = new XMLHttpRequest();
      own.open('POST', '/upload', false);
      own.send('x');
      console.log('own ' + own.status);
    </script>`;
  const asked: (string | undefined)[] = [];
  const listener: RequestListener = ({ url }, response) => {
    asked.push(url);
    response.end();
  };
  try {
    await onSite(listener, async (_target, visit) => {
      const result = await visit(page);
      assert.equal([result.status, result.title, result.finalUrl], [200, 'ours', foreign]);
      assert.is(elsewhere.connections(), 0);
      assert.equal(asked, []);
      assert.ok(result.console.includes('own 404'), result.console.join('\n'));
      const refused = result.requests.filter((request) => request.refused).map(({ url }) => url);
      for (const url of ['https://another.invalid/', 'http://169.254.169.254/latest/meta-data/'])
        assert.ok(refused.includes(url), refused.join('\n'));
      assert.not.ok(refused.includes(foreign));
    });
  } finally {
    await elsewhere.close();
  }
});

ownPage('cannot reach into a frame of the audited host', async () => {
  await onSite(echo, async (target, visit) => {
    const page = `<!doctype html><iframe src="${target.url}/"></iframe><p id="read"></p><script>
      onload = () => { try { read.textContent = frames[0].document.body.textContent } catch (error) { read.textContent = error.name } };
    </script>`;
    assert.is(readIn(await visit(page, { cookies: ['session=abc; Secure; SameSite=None'] })), 'SecurityError');
  });
});

ownPage('is opened only under a name that nobody has', async () => {
  await onSite(echo, async (target, visit) => {
    for (const url of [
      target.url,
      'https://shop.localhost/',
      'https://shop.localhost./',
      'https://other.localhost/',
      'https://notshop.localhost/',
      'https://invalid/',
      'https://k3v9.example/',
      'https://k3v9.invalid:8443/',
      'https://k3v9.invalid.example/',
      'https://127.0.0.1/',
      'ftp://k3v9.invalid/',
      'file:///etc/passwd',
      'k3v9.invalid',
    ])
      assert.is(await codeOf(visit('<p>ours</p>', { url })), 'out_of_scope', url);
  });
});

ownPage('is opened over HTTP as well, for a site without HTTPS', async () => {
  const target = await httpTarget(echo);
  const probes = openFor(target.url, { browsers });
  const jar = probes.http.newJar();
  jar.store(target.url, ['session=abc; Path=/']);
  const page = reads(`${target.url}/?allow=own&credentials`);
  try {
    for (const [url, read] of [
      ['http://k3v9x2mp7q.invalid/', 'read for nobody'],
      ['http://k3v9x2mp7q.shop.localhost/', 'read for session=abc'],
    ] as const)
      assert.is(readIn(await probes.browser.visit({ url, page, jar })), read);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

ownPage.run();
