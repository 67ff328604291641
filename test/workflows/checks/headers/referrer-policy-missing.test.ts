import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { referrerPolicyMissing } from '../../../../workflows/checks/headers/parts/referrer-policy-missing.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { places, runOn } from '../harness.ts';

const test = suite('headers.referrer-policy-missing');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, referrerPolicyMissing);
  } finally {
    await site.close();
  }
}

const name = 'Referrer-Policy';
const page =
  (headers: Record<string, string | string[]>, markup = ''): Handler =>
  ({ path }) =>
    path === '/' ? html(`${markup}<p>Welcome</p>`, 200, headers) : undefined;

const open: Record<string, [Handler, Severity]> = {
  'no policy': [page({}), Severity.INFO],
  'a word that browsers do not know': [page({ [name]: 'strict' }), Severity.INFO],
  'an empty policy': [page({ [name]: '' }), Severity.INFO],
  'unsafe-url': [page({ [name]: 'unsafe-url' }), Severity.LOW],
  'the policy that was the default once': [page({ [name]: 'No-Referrer-When-Downgrade' }), Severity.LOW],
  'a lax word as the last that is known': [page({ [name]: 'no-referrer, unsafe-url, future-word' }), Severity.LOW],
  'a lax word in the second header': [page({ [name]: ['same-origin', 'unsafe-url'] }), Severity.LOW],
  'a lax word in its markup, which wins': [
    page({ [name]: 'same-origin' }, '<meta content=unsafe-url name="Referrer">'),
    Severity.LOW,
  ],
  'an old word in its markup': [page({}, '<meta name="referrer" content="always">'), Severity.LOW],
};

for (const [what, [handler, severity]] of Object.entries(open)) {
  test(`a page with ${what} is found`, async () => {
    const found = await result(handler);
    assert.equal(
      [found.outcome.kind, places(found), found.findings[0]?.severity],
      ['found', [`GET / ${name}`], severity],
      found.outcome.reason,
    );
  });
}

const closed: Record<string, Handler> = {
  'the default of browsers, said aloud': page({ [name]: 'strict-origin-when-cross-origin' }),
  'no-referrer in capitals': page({ 'REFERRER-POLICY': 'NO-REFERRER' }),
  'a lax word for old browsers and a strict one for others': page({ [name]: 'unsafe-url, strict-origin' }),
  'a policy in its markup': page({}, '<meta name="referrer" content="same-origin">'),
  'an old word for it in its markup': page({}, '<meta content="never" name="referrer">'),
  'a strict word in its markup, which wins': page({ [name]: 'unsafe-url' }, '<meta name="referrer" content="origin">'),
};

for (const [what, handler] of Object.entries(closed)) {
  test(`a page with ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

test('of pages without a policy and one with a lax one, the lax one comes first', async () => {
  const found = await result(({ path }) => {
    if (path === '/') return html('<a href="/search">x</a>');
    return path === '/search' ? html('x', 200, { [name]: 'unsafe-url' }) : undefined;
  });
  assert.equal([places(found), found.findings[0]?.locations?.length], [[`GET /search ${name}`], 2]);
});

test('an API without pages has nothing to look at', async () => {
  assert.is((await result(() => json({ ok: true }))).outcome.kind, 'not-applicable');
});

test('a page that is too deep to be read does not keep the others from being looked at', async () => {
  const deep = '<div>'.repeat(600);
  const found = await result(({ path }) => {
    if (path === '/') return html('<a href=/deep>Deep</a><p>Welcome</p>');
    return path === '/deep' ? html(deep) : undefined;
  });
  assert.is(found.findings.length, 1);
  assert.ok(found.outcome.omitted.some(({ code }) => code === 'page_cut'));
});

test.run();
