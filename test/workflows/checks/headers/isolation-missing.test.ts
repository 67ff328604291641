import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { isolationMissing } from '../../../../workflows/checks/headers/parts/isolation-missing.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { certificateFor } from '../../probe/support.ts';
import { runOn } from '../harness.ts';

const test = suite<{ tls: { key: string; cert: string } }>('headers.isolation-missing');
test.before(async (context) => {
  context.tls = await certificateFor('shop.localhost');
});

async function result(handler: Handler, tls?: { key: string; cert: string }) {
  const site = await startSite(handler, tls ? { tls } : {});
  try {
    return await runOn(site.url, isolationMissing);
  } finally {
    await site.close();
  }
}

const form = '<form method="post" action="/login"><input name="user"></form>';
const page =
  (headers: Record<string, string>, content = form): Handler =>
  ({ path }) =>
    path === '/' ? html(content, 200, headers) : undefined;

const opener = { 'Cross-Origin-Opener-Policy': 'same-origin' };
const resource = { 'Cross-Origin-Resource-Policy': 'same-site' };

const without: [string, Handler, string][] = [
  ['neither', page({}), 'Absent: Cross-Origin-Opener-Policy, Cross-Origin-Resource-Policy.'],
  ['the one for resources alone', page(resource), 'Absent: Cross-Origin-Opener-Policy.'],
  ['the one for openers alone', page(opener), 'Absent: Cross-Origin-Resource-Policy.'],
  [
    'sessions and neither',
    page({ 'set-cookie': 'PHPSESSID=5f2b8c1d9e7a4036b1c2d3e4f5; path=/' }, 'hello'),
    'Absent: Cross-Origin-Opener-Policy, Cross-Origin-Resource-Policy.',
  ],
];

for (const [what, handler, says] of firstRows(without, 2)) {
  test(`a site with ${what} is found, as information`, async ({ tls }) => {
    const { findings, outcome } = await result(handler, tls);
    assert.equal([findings.length, findings[0]?.severity], [1, Severity.INFO], outcome.reason);
    assert.ok(findings[0]?.description?.startsWith(says), findings[0]?.description);
  });
}

further(test)('values that browsers do not know count for none', async ({ tls }) => {
  const odd = { 'cross-origin-opener-policy': 'same-site', 'cross-origin-resource-policy': 'same-origin, same-site' };
  const { findings } = await result(page(odd), tls);
  const says = 'With a value that browsers do not know: Cross-Origin-Opener-Policy, Cross-Origin-Resource-Policy.';
  assert.ok(findings[0]?.description?.startsWith(says), findings[0]?.description);
  const reporting = { 'cross-origin-opener-policy': 'same-origin; report-to="coop"' };
  assert.is((await result(page({ ...reporting, ...resource }), tls)).outcome.kind, 'clean');
});

test('a site with both, or that chose to do without, is clean', async ({ tls }) => {
  const chosen = { 'cross-origin-opener-policy': 'unsafe-none', 'cross-origin-resource-policy': 'cross-origin' };
  for (const headers of [{ ...opener, ...resource }, chosen])
    assert.is((await result(page(headers), tls)).outcome.kind, 'clean');
});

test('over http, where browsers do not heed the one for openers, only the other is missed', async () => {
  assert.is((await result(page(resource))).outcome.kind, 'clean');
});

test('a site that knows nothing of its visitors has nothing to keep apart', async ({ tls }) => {
  const found = await result(page({ 'set-cookie': 'lang=en' }, '<form action="/"><input name="q"></form>'), tls);
  assert.is(found.outcome.kind, 'not-applicable');
});

test.run();
