import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { permissionsPolicyMissing } from '../../../../workflows/checks/headers/parts/permissions-policy-missing.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { certificateFor } from '../../probe/support.ts';
import { places, runOn } from '../harness.ts';

const test = suite<{ tls: { key: string; cert: string } }>('headers.permissions-policy-missing');
test.before(async (context) => {
  context.tls = await certificateFor('shop.localhost');
});

async function result(handler: Handler, tls?: { key: string; cert: string }) {
  const site = await startSite(handler, tls ? { tls } : {});
  try {
    return await runOn(site.url, permissionsPolicyMissing);
  } finally {
    await site.close();
  }
}

const page =
  (headers: Record<string, string>, markup = ''): Handler =>
  ({ path }) =>
    path === '/' ? html(`${markup}hello`, 200, headers) : undefined;

const without: Record<string, Handler> = {
  'no policy': page({}),
  'one that only reports': page({ 'Permissions-Policy-Report-Only': 'camera=()' }),
  'one in its markup, where browsers do not look': page(
    {},
    '<meta http-equiv="Permissions-Policy" content="camera=()">',
  ),
};

for (const [what, handler] of firstRows(Object.entries(without), 2)) {
  test(`a page with ${what} is found, as information`, async ({ tls }) => {
    const found = await result(handler, tls);
    assert.equal([places(found), found.findings[0]?.severity], [['GET / Permissions-Policy'], Severity.INFO]);
  });
}

test('a page that switches features off, by the name of today or of before, is clean', async ({ tls }) => {
  for (const headers of [{ 'permissions-policy': 'camera=()' }, { 'Feature-Policy': "camera 'none'" }] as const)
    assert.is((await result(page({ ...headers }), tls)).outcome.kind, 'clean');
});

further(test)('a page without it beside pages that have it is found', async ({ tls }) => {
  const found = await result(
    ({ path }) =>
      path === '/' ? html('<a href="/blog">Blog</a>', 200, { 'permissions-policy': 'camera=()' }) : html('blog'),
    tls,
  );
  assert.equal(places(found), ['GET /blog Permissions-Policy']);
});

test('a site on http only, and an API, have nothing to look at', async ({ tls }) => {
  const kinds = [await result(page({})), await result(() => json({ ok: true }), tls)].map(
    ({ outcome }) => outcome.kind,
  );
  assert.equal(kinds, ['not-applicable', 'not-applicable']);
});

test.run();
