import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { versionBanner } from '../../../../workflows/checks/headers/version-banner.check.ts';
import { type Handler, html, redirect, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('headers.version-banner');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, versionBanner);
  } finally {
    await site.close();
  }
}

const sending = (headers: Record<string, string>) => () => html('hello', 200, headers);

const versions: [Record<string, string>, string][] = [
  [{ Server: 'nginx/1.18.0 (Ubuntu)' }, 'nginx/1.18.0 (server)'],
  [{ Server: 'Apache/2.4.41 (Unix) OpenSSL/1.1.1d' }, 'Apache/2.4.41 (server)'],
  [{ server: 'Jetty(9.4.43.v20210629)' }, 'Jetty(9.4.43.v20210629) (server)'],
  [{ server: 'Werkzeug/2.0.1 Python/3.8.10' }, 'Werkzeug/2.0.1 (server)'],
  [{ 'X-Powered-By': 'PHP/7.4.3-4ubuntu2.18' }, 'PHP/7.4.3-4ubuntu2.18 (x-powered-by)'],
  [{ 'X-Powered-By': 'Phusion Passenger 6.0.4' }, 'Phusion Passenger 6.0.4 (x-powered-by)'],
  [{ 'X-AspNet-Version': '4.0.30319' }, 'ASP.NET 4.0.30319 (x-aspnet-version)'],
  [{ 'X-Jenkins': '2.426.1' }, 'Jenkins 2.426.1 (x-jenkins)'],
  [{ 'X-Mod-Pagespeed': '1.13.35.2-0' }, 'mod_pagespeed 1.13.35.2-0 (x-mod-pagespeed)'],
  [{ 'X-Generator': 'WordPress 6.4.2' }, 'WordPress 6.4.2 (x-generator)'],
  [
    { Server: 'Microsoft-IIS/10.0', 'X-AspNetMvc-Version': '5.2' },
    'Microsoft-IIS/10.0 (server), ASP.NET MVC 5.2 (x-aspnetmvc-version)',
  ],
];

for (const [headers, says] of firstRows(versions, 4)) {
  test(`${says} is found`, async () => {
    const found = await result(sending(headers));
    assert.equal(places(found), ['GET /'], found.outcome.reason);
    assert.ok(found.findings[0]?.description?.startsWith(`Seen: ${says}.`), found.findings[0]?.description);
  });
}

const others: Record<string, string>[] = [
  { Server: 'nginx' },
  { Server: 'Apache/2' },
  { Server: 'Apache-Coyote/1.1' },
  { Server: 'awselb/2.0' },
  { Server: 'cloudflare', 'cf-ray': '8f1.2-FRA' },
  { Server: 'ECS (dcb/7F83)' },
  { Server: 'AmazonS3', 'x-amz-version-id': '3.14' },
  { 'X-Powered-By': 'Express' },
  { 'X-Powered-By': 'Servlet/3.1 JSP/2.3' },
  { 'X-Powered-By': 'ASP.NET' },
  { Server: 'ECAcc (nyb/1D2E)' },
  { Server: 'Kestrel', 'X-Hudson': '1.395' },
  { Server: 'ATS', 'X-Page-Speed': 'Powered By ngx_pagespeed' },
  { Via: '1.1 varnish', 'X-Varnish': '1.2' },
  { 'X-Api-Version': '2.4.1', 'API-Version': 'orders/2.4' },
];

for (const headers of others) {
  test(`${JSON.stringify(headers)} is clean`, async () => {
    assert.is((await result(sending(headers))).outcome.kind, 'clean');
  });
}

test('a banner of another page or of a redirect is found where it was seen, once', async () => {
  const found = await result(({ path }) => {
    if (path === '/') return { ...redirect('/app'), headers: { location: '/app', server: 'nginx/1.18.0' } };
    if (path === '/app') return html('x', 200, { server: 'nginx/1.18.0', 'x-powered-by': 'PHP/8.1.2' });
    return undefined;
  });
  assert.is(found.findings.length, 1);
  assert.match(
    found.findings[0]?.description ?? '',
    /^Seen: nginx\/1\.18\.0 \(server\), PHP\/8\.1\.2 \(x-powered-by\)\./,
  );
});

test('a banner that changes between two looks is not reported', async () => {
  let requests = 0;
  const found = await result(() => html('x', 200, { server: `proxy/1.${requests++}` }));
  assert.is(found.outcome.kind, 'clean');
});

test.run();
