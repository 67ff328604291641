import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { originPrefixOrSuffixTrusted } from '../../../../workflows/checks/cors/origin-prefix-or-suffix-trusted.check.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('cors.origin-prefix-or-suffix-trusted');

type Answered = Record<string, string>;
const reading = (origin: string, credentials = 'true'): Answered => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': credentials,
});

/** A site whose API answers an Origin so; what depends on the origin says so, as all libraries do. */
async function resultOf(answer: (origin: string) => Answered, host = 'api.northwind.shop') {
  const names = await startNameServer({ [`${host} A`]: ['127.0.0.1'] });
  const site = await startSite(
    ({ path, headers }) => {
      if (path === '/') return html('<a href="/v1/me">Me</a>');
      return path === '/v1/me'
        ? json({ name: 'guest' }, 200, { vary: 'Origin', ...answer(headers.origin ?? '') })
        : undefined;
    },
    { host },
  );
  try {
    return await runOn(site.url, originPrefixOrSuffixTrusted, { dnsServer: names.address, hosts: [host] });
  } finally {
    await site.close();
    names.close();
  }
}

const trusting = (isTrusted: (origin: string) => boolean, host?: string) =>
  resultOf((origin) => (isTrusted(origin) ? reading(origin) : {}), host);

const careless: [string, (origin: string) => boolean, RegExp, string?][] = [
  ['the end without a dot', (origin) => origin.endsWith('northwind.shop'), /ends with northwind\.shop/],
  ['the beginning', (origin) => origin.startsWith('http://api.northwind.shop'), /begins with api\.northwind\.shop/],
  ['that the name is somewhere', (origin) => origin.includes('northwind.shop'), /ends with northwind\.shop/],
  ['a pattern without an end', (origin) => /^https?:\/\/northwind\.shop/.test(origin), /begins with northwind\.shop/],
  ['a pattern without a beginning', (origin) => /northwind\.shop$/.test(origin), /ends with northwind\.shop/],
  [
    'a pattern whose dots are not escaped',
    (origin) => /^https?:\/\/api.northwind.shop$/.test(origin),
    /any character where a dot/,
  ],
  [
    'the boundary of a word and no dot behind it',
    (origin) => /^http:\/\/api\.northwind\.shop\b(?!\.)/.test(origin),
    /begins with api\.northwind\.shop and "-"/,
  ],
  [
    'a character that names hardly have',
    (origin) => /^http:\/\/api\.northwind\.shop(?![a-z0-9.-])./.test(origin),
    /begins with api\.northwind\.shop and "_"/,
  ],
  [
    'the end, on a customer below a shared suffix',
    (origin) => origin.endsWith('wind.github.io'),
    /ends with northwind\.github\.io/,
    'northwind.github.io',
  ],
];

for (const [what, isTrusted, says, host] of firstRows(careless, 3)) {
  test(`a site that compares ${what} is found`, async () => {
    const found = await trusting(isTrusted, host);
    assert.equal(places(found), ['GET /v1/me Origin'], found.outcome.reason || found.outcome.kind);
    assert.match(found.findings[0]?.description ?? '', says);
  });
}

test('a site that trusts the end of a domain that its page names is found', async () => {
  const site = await startSite(({ path, headers: { origin = '' } }) => {
    if (path === '/') return html('<a href="/v1/me">Me</a> <p>Embedded from widgets.kitebank.example.</p>');
    const answer = origin.endsWith('kitebank.example') ? reading(origin) : {};
    return path === '/v1/me' ? json({ name: 'guest' }, 200, { vary: 'Origin', ...answer }) : undefined;
  });
  try {
    const found = await runOn(site.url, originPrefixOrSuffixTrusted);
    assert.equal(places(found), ['GET /v1/me Origin'], found.outcome.reason || found.outcome.kind);
    assert.match(found.findings[0]?.description ?? '', /ends with kitebank\.example/);
  } finally {
    await site.close();
  }
});

test('it is info where the site knows no visitors', async () => {
  const found = await trusting((origin) => origin.endsWith('northwind.shop'));
  assert.is(found.findings[0]?.severity, Severity.INFO);
});

const exact = new Set(['http://api.northwind.shop', 'https://www.northwind.shop']);
const careful: Record<string, Parameters<typeof resultOf>[0]> = {
  'compares whole origins': (origin) => (exact.has(origin) ? reading(origin) : {}),
  'trusts its own subdomains, and only them': (origin) =>
    URL.canParse(origin) && new URL(origin).hostname.endsWith('.northwind.shop') ? reading(origin) : {},
  'has a pattern with both ends and escaped dots': (origin) =>
    /^https?:\/\/([a-z0-9-]+\.)?northwind\.shop$/.test(origin) ? reading(origin) : {},
  'always answers for the same origin': () => reading('https://www.northwind.shop'),
  'compares carelessly, but lets nobody read with credentials': (origin) =>
    origin.endsWith('northwind.shop') ? { 'access-control-allow-origin': origin } : {},
  'repeats every origin, which is another weakness': (origin) => reading(origin),
  'lets everybody read what is public': () => ({ 'access-control-allow-origin': '*' }),
};

for (const [what, answer] of firstRows(Object.entries(careful), 2)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await resultOf(answer);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.findings[0]?.description);
  });
}

test('an address whose answer does not depend on the origin is asked once', async () => {
  const site = await startSite(({ path }) => (path === '/' ? html('hello') : undefined));
  try {
    await runOn(site.url, originPrefixOrSuffixTrusted);
    assert.is(site.requests.filter((line) => line.startsWith('GET /?_=')).length, 1);
  } finally {
    await site.close();
  }
});

further(test)('others begin like an address in numbers, too, and none ends with a domain of it', async () => {
  const found = await trusting((origin) => origin.startsWith('http://127.0.0.1'), '127.0.0.1');
  assert.match(found.findings[0]?.description ?? '', /begins with 127\.0\.0\.1/);
  const ending = await trusting((origin) => origin.endsWith('.1'), '127.0.0.1');
  assert.equal([ending.outcome.kind, ending.findings.length], ['clean', 0], ending.outcome.reason);
});

test.run();
