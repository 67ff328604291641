import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FindingInit } from '../../../../workflows/checks/finding.ts';
import { securityHeadersMissing } from '../../../../workflows/checks/headers/security-headers-missing.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';

const test = suite('headers.security-headers-missing');

const complete = {
  'content-security-policy': "default-src 'self'; object-src 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const form = '<form method="post" action="/order"><input name="amount"><button>Order</button></form>';

const siteWith =
  (headers: Record<string, string>): Handler =>
  ({ path }) =>
    ['/', '/a', '/b'].includes(path) ? html(`<a href="/a">a</a><a href="/b">b</a>${form}`, 200, headers) : undefined;

/** What stands before the sentences that all such findings have. */
const detailOf = (finding: FindingInit | undefined): string =>
  finding?.description?.split(securityHeadersMissing.explain.description)[0] ?? '';

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, securityHeadersMissing);
  } finally {
    await site.close();
  }
}

test('all headers that a site lacks are one finding, which names each and shows each', async () => {
  const { findings } = await result(siteWith({}));
  assert.is(findings.length, 1);
  const [finding] = findings;
  for (const name of ['Content-Security-Policy', 'Referrer-Policy', 'X-Content-Type-Options', 'Cross-Origin-'])
    assert.ok(detailOf(finding).includes(name), name);
  const subjects = JSON.stringify(finding?.proof?.steps ?? []);
  for (const name of ['content-security-policy', 'referrer-policy', 'x-content-type-options'])
    assert.ok(subjects.includes(name), name);
});

further(test)('it is as grave as the gravest of them', async () => {
  const [all] = (await result(siteWith({}))).findings;
  assert.is(all?.cvss?.score, 3.4);
  const { 'x-content-type-options': _left, ...others } = complete;
  const [types] = (await result(siteWith(others))).findings;
  assert.is(types?.cvss?.score, 0);
});

test('it names the header that is missing, and no other', async () => {
  const { 'referrer-policy': _left, ...others } = complete;
  const [finding] = (await result(siteWith(others))).findings;
  assert.match(detailOf(finding), /^Referrer-Policy/);
  assert.not.match(detailOf(finding), /X-Content-Type-Options|Cross-Origin/);
});

test('a site that has them all is clean', async () => {
  const { outcome, findings } = await result(siteWith(complete));
  assert.equal([outcome.kind, findings], ['clean', []], outcome.reason);
});

test('a header that comes after the first look is not named', async () => {
  const seen = new Map<string, number>();
  const { outcome } = await result((request) => {
    const count = (seen.get(request.path) ?? 0) + 1;
    seen.set(request.path, count);
    const { 'x-content-type-options': _left, ...others } = complete;
    return siteWith(count > 1 ? complete : others)(request);
  });
  assert.is(outcome.kind, 'clean');
});

test.run();
