import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { anyOriginTrusted } from '../../../../workflows/checks/cors/any-origin-trusted.check.ts';
import { nullOriginTrusted } from '../../../../workflows/checks/cors/null-origin-trusted.check.ts';
import { type Answer, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('cors.any-origin-trusted');

type Rules = (origin: string | undefined) => Record<string, string>;

async function resultOf(rules: Rules, { page = '<form method="post"><input name="q"></form>', hasUsers = false } = {}) {
  const answer: (origin: string | undefined) => Answer = (origin) => {
    const shown = html(page);
    return { ...shown, headers: { ...shown.headers, ...rules(origin) } };
  };
  const site = await startSite(({ headers }) => answer(headers.origin));
  const audit = await openAudit(site.url);
  try {
    const [ofAny, ofNull] = [
      await check({ ...audit, context: { ...audit.context, hasUsers } }, anyOriginTrusted),
      await check(audit, nullOriginTrusted),
    ];
    return {
      kind: ofAny.outcome.kind,
      severity: ofAny.findings[0]?.severity,
      findings: ofAny.findings,
      other: ofNull.outcome.kind,
    };
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
}

const credentials = { 'access-control-allow-credentials': 'true' };
const reflecting: Rules = (origin) => (origin ? { 'access-control-allow-origin': origin, ...credentials } : {});

test('an answer that repeats every origin and allows credentials is one finding, and none of the origin "null"', async () => {
  const { kind, findings, other } = await resultOf(reflecting);
  assert.equal([kind, findings.length, other], ['found', 1, 'clean']);
  assert.match(findings[0]?.proof?.curl ?? '', /Origin: https:\/\/\w+\.example/);
});

further(test)('an address whose name says that it acts is passed over', async () => {
  const site = await startSite(({ path, headers }) => {
    const shown =
      path === '/' ? html('<a href="/rest/prices">p</a><script>fetch("/api/save-visit")</script>') : html('{}');
    const type = path === '/' ? 'text/html' : 'application/json';
    return {
      ...shown,
      headers: { ...shown.headers, 'content-type': type, ...(path === '/' ? {} : reflecting(headers.origin)) },
    };
  });
  const audit = await openAudit(site.url);
  try {
    const [prices] = audit.context.surface.pages.filter(({ url }) => url.endsWith('/rest/prices'));
    assert.ok(prices);
    audit.context.surface.pages.push({ ...prices, url: prices.url.replace('/rest/prices', '/api/save-visit') });
    assert.is((await check(audit, anyOriginTrusted)).outcome.kind, 'found');
    assert.is((await check(audit, nullOriginTrusted)).outcome.kind, 'clean');
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
});

further(test)('it is milder where the site knows no visitor', async () => {
  const [stateful, stateless] = [await resultOf(reflecting), await resultOf(reflecting, { page: '<h1>Weather</h1>' })];
  assert.is.not(stateful.severity, stateless.severity);
});

test('a scan with identities leaves it to the deep check', async () => {
  assert.is((await resultOf(reflecting, { hasUsers: true })).kind, 'not-applicable');
});

for (const [what, rules] of firstRows(
  [
    ['every origin without credentials', (origin) => ({ 'access-control-allow-origin': origin ?? '*' })],
    ['a star with credentials, which browsers refuse', () => ({ 'access-control-allow-origin': '*', ...credentials })],
    ['one origin for all', () => ({ 'access-control-allow-origin': 'https://app.shop.example', ...credentials })],
    ['no rules', () => ({})],
  ] as const satisfies [string, Rules][],
  2,
))
  test(`${what} is clean`, async () => assert.is((await resultOf(rules)).kind, 'clean'));

test.run();
