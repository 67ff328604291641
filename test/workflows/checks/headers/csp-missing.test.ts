import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { cspMissing } from '../../../../workflows/checks/headers/parts/csp-missing.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('headers.csp-missing');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, cspMissing);
  } finally {
    await site.close();
  }
}

const name = 'content-security-policy';
const form = '<form method="post" action="/login"><input name="user"></form>';
const page =
  (headers: Record<string, string | string[]>, markup = ''): Handler =>
  ({ path }) =>
    path === '/' ? html(markup + form, 200, headers) : undefined;

/** A page with this in its head. */
const headed =
  (head: string): Handler =>
  ({ path }) =>
    path === '/'
      ? { headers: { 'content-type': 'text/html' }, body: `<html><head>${head}</head><body>${form}</body></html>` }
      : undefined;

const inMarkup = `<meta content="default-src 'self'" http-equiv="Content-Security-Policy">`;

const without: Record<string, Handler> = {
  'a policy in its body, where browsers ignore it': page({}, inMarkup),
  'a policy in its markup that only upgrades': headed(
    '<meta http-equiv="Content-Security-Policy" content="upgrade-insecure-requests">',
  ),
  'a policy in quotation marks': page({ [name]: `"default-src 'self'"` }),
  'a header that names itself': page({ [name]: "Content-Security-Policy: default-src 'self'" }),
  'no policy': page({}),
  'a policy that only reports': page({ 'content-security-policy-report-only': "default-src 'self'" }),
  'a policy for frames only': page({ [name]: "frame-ancestors 'none'; upgrade-insecure-requests" }),
  'policies for other things in two headers': page({
    [name]: ["img-src 'self'", "style-src 'self'; form-action 'self'"],
  }),
  'an empty policy': page({ [name]: '' }),
};

for (const [what, handler] of firstRows(Object.entries(without), 3)) {
  test(`a page with ${what} is found`, async () => {
    const found = await result(handler);
    assert.equal(
      [found.outcome.kind, places(found)],
      ['found', ['GET / Content-Security-Policy']],
      found.outcome.reason,
    );
  });
}

const withPolicy: Record<string, Handler> = {
  'a policy for scripts': page({ [name]: "script-src 'self'" }),
  'a policy for everything, in capitals': page({ 'Content-Security-Policy': "DEFAULT-SRC 'self'" }),
  'a policy for script elements': page({ [name]: "script-src-elem 'self'" }),
  'a policy for scripts in the second header': page({ [name]: ["img-src 'self'", "script-src 'self'"] }),
  'a policy for scripts as second member of a list': page({ [name]: "frame-ancestors 'none', default-src 'self'" }),
  'a sandbox': page({ [name]: 'sandbox allow-forms' }),
  'a policy in its markup': headed(inMarkup),
  'one policy in its markup that upgrades and one for scripts': headed(
    `<meta http-equiv="content-security-policy" content="upgrade-insecure-requests">${inMarkup}`,
  ),
  'a policy that is weak, which is another weakness': page({ [name]: "script-src * 'unsafe-inline'" }),
};

for (const [what, handler] of firstRows(Object.entries(withPolicy), 3)) {
  test(`a page with ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

further(test)('pages without it are one finding, whose places are different pages and no more than a few', async () => {
  const links = ['/a', '/b', '/c', '/products/1', '/products/2'];
  const found = await result(({ path }) =>
    html(path === '/' ? links.map((link) => `<a href="${link}">x</a>`).join(' ') : `<h1>${path}</h1>`, 200, {
      ...(path === '/' ? { [name]: "default-src 'self'" } : {}),
    }),
  );
  assert.equal([found.findings.length, found.findings[0]?.locations?.length], [1, 3]);
});

test('it is low where the site has forms or sessions, and information where there is nothing to take', async () => {
  const [withForm] = (await result(page({}))).findings;
  const [leaflet] = (await result(({ path }) => (path === '/' ? html('A leaflet') : undefined))).findings;
  assert.equal([withForm?.severity, leaflet?.severity], [Severity.LOW, Severity.INFO]);
});

test('an API without pages has nothing to look at', async () => {
  assert.is((await result(() => json({ ok: true }))).outcome.kind, 'not-applicable');
});

test('a page that is too deep to be read does not keep the others from being looked at', async () => {
  const { findings, outcome } = await result(({ path }) => {
    if (path === '/') return html(`<a href=/deep>Deep</a>${form}`);
    return path === '/deep' ? html('<div>'.repeat(600)) : undefined;
  });
  assert.is(findings.length, 1);
  assert.ok(outcome.omitted.some(({ code }) => code === 'page_cut'));
});

test.run();
