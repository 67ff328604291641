import { createServer, type Server } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import { httpsMissing } from '../../../../workflows/checks/tls/https-missing.check.ts';
import { redirectMissing } from '../../../../workflows/checks/tls/redirect-missing.check.ts';
import { makeAuthority, makeCertificate } from '../../../fixtures/certificates.ts';
import { type Handler, html, redirect, type SiteOptions, startSite } from '../../../fixtures/site.ts';
import { startScripted } from '../../../fixtures/tls/scripted.ts';
import { firstRows, further } from '../../../support/further.ts';
import { listen } from '../../probe/support.ts';
import { runOn } from '../harness.ts';
import { type Ports, runOnPorts } from './standard-ports.ts';

const test = suite('tls.https-missing and tls.redirect-missing');

const host = 'www.northwind.shop';
const root = await makeAuthority('Northwind Root');
const good = await makeCertificate({ commonName: host, issuer: root });

async function closedPort(): Promise<number> {
  const target = await listen(createServer(), 'https');
  await target.close();
  return target.port;
}

const kinds = ({ outcome, findings }: CheckResult) => [outcome.kind, ...findings.map(({ location }) => location?.url)];

/** Both checks on a host that answers like this over http, and over HTTPS when it has that. */
async function verdicts(
  plain: Handler,
  secure?: { handler: Handler; tls: SiteOptions['tls'] },
  more: Partial<Ports> = {},
) {
  const site = await startSite(plain, { host });
  const other = secure?.tls ? await startSite(secure.handler, { host, tls: secure.tls }) : undefined;
  const ports = { http: site.port, https: other?.port ?? (await closedPort()), authority: root.cert, ...more };
  try {
    const https = await runOnPorts(httpsMissing, ports);
    const redirected = await runOnPorts(redirectMissing, ports);
    return { https: kinds(https), redirect: kinds(redirected), curl: https.findings[0]?.proof?.curl };
  } finally {
    await Promise.all([site.close(), other?.close()]);
  }
}

const home: Handler = ({ path }) => (path === '/' ? html('<h1>Northwind</h1>') : undefined);
const secure = { handler: home, tls: good };

test('a site without HTTPS is found, and has nothing to redirect to', async () => {
  const { https, redirect: redirected, curl } = await verdicts(home);
  assert.equal(https, ['found', `http://${host}/`]);
  assert.equal(redirected, ['not-applicable']);
  assert.match(curl ?? '', `curl -sS -i http://${host}/\n`);
  assert.match(curl ?? '', `openssl s_client -connect ${host}:443 -servername ${host} `);
});

further(test)('a site that has HTTPS and shows its pages over http is found', async () => {
  assert.equal(await verdicts(home, secure), {
    https: ['clean'],
    redirect: ['found', `http://${host}/`],
    curl: undefined,
  });
});

const localised: Handler = ({ path }) => (path === '/en/' ? html('<h1>Northwind</h1>') : redirect('/en/'));

further(test)('a home page that is elsewhere on the same origin is found there', async () => {
  assert.equal((await verdicts(localised)).https, ['found', `http://${host}/en/`]);
  assert.equal((await verdicts(localised, secure)).redirect, ['found', `http://${host}/en/`]);
});

for (const [what, plain] of firstRows(
  [
    ['redirects to HTTPS', () => redirect(`https://${host}/`, 301)],
    [
      'redirects to HTTPS after a step of its own',
      ({ path }) => redirect(path === '/' ? '/en/' : `https://${host}/en/`),
    ],
    ['redirects to another host', () => redirect('http://northwind.shop/')],
    ['redirects by its markup', () => html(`<meta http-equiv="refresh" content="0; url=https://${host}/">`)],
    ['redirects by script', () => html(`<script>window.location.href = "https://${host}/";</script>`)],
    ['redirects in a circle', () => redirect('/')],
    ['refuses http', () => html('HTTPS is required', 426)],
    ['has no page', () => html('Not found', 404)],
    ['shows nothing', () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '' })],
  ] as [string, Handler][],
  3,
)) {
  further(test)(`a host that ${what} is clean`, async () => {
    assert.equal((await verdicts(plain)).https, ['clean']);
    assert.equal((await verdicts(plain, secure)).redirect, ['clean']);
  });
}

for (const [what, options] of firstRows(
  [
    ['nobody vouches for', { commonName: host }],
    ['is for another host', { commonName: 'other.example', issuer: root }],
    ['has expired', { commonName: host, issuer: root, from: -9, to: -1 }],
  ] as const,
  1,
)) {
  test(`nobody is advised to redirect to a certificate that ${what}`, async () => {
    const tls = await makeCertificate(options);
    const { https, redirect: redirected } = await verdicts(home, { handler: home, tls });
    assert.equal([https, redirected], [['clean'], ['not-applicable']]);
  });
}

further(test)('nobody is advised to redirect to HTTPS that answers with errors', async () => {
  const broken = { handler: () => html('Bad gateway', 502), tls: good };
  assert.equal((await verdicts(home, broken)).redirect, ['not-applicable']);
});

for (const [what, server] of [
  ['speaks something else', () => createServer((socket) => void socket.end('220 mail ready\r\n'))],
  ['hangs up', () => createServer((socket) => void socket.destroy())],
] as [string, () => Server][]) {
  test(`a port for HTTPS that ${what} is not called missing`, async () => {
    const target = await listen(server(), 'https');
    try {
      assert.equal((await verdicts(home, undefined, { https: target.port })).https, ['not-run']);
    } finally {
      await target.close();
    }
  });
}

further(test)('a port for HTTPS that speaks SSL 3.0 alone is not called missing', async () => {
  const old = await startScripted({ version: 0x0300, suite: 0x0005, cert: good.cert });
  try {
    const { https, redirect: redirected } = await verdicts(home, undefined, { https: old.port });
    assert.equal([https, redirected], [['clean'], ['not-applicable']]);
  } finally {
    await old.close();
  }
});

test('one port of its own says nothing of HTTPS, and local names need none', async () => {
  const site = await startSite(home);
  try {
    for (const check of [httpsMissing, redirectMissing])
      assert.is((await runOn(site.url, check)).outcome.kind, 'not-applicable');
  } finally {
    await site.close();
  }
});

test.run();
