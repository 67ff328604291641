import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hstsMissing } from '../../../../workflows/checks/headers/hsts-missing.check.ts';
import { type Handler, html, redirect, type SiteOptions, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { certificateFor } from '../../probe/support.ts';
import { places, runOn } from '../harness.ts';

const test = suite<{ tls: { key: string; cert: string } }>('headers.hsts-missing');
test.before(async (context) => {
  context.tls = await certificateFor('shop.localhost');
});

async function result(handler: Handler, options: SiteOptions) {
  const site = await startSite(handler, options);
  try {
    return await runOn(site.url, hstsMissing, { hosts: ['127.0.0.1'] });
  } finally {
    await site.close();
  }
}

const name = 'Strict-Transport-Security';
const sending = (value: string | string[]) => () => html('hello', 200, { [name]: value });

const void_: Record<string, Handler> = {
  'is absent': () => html('hello'),
  'forgets itself': sending('max-age=0'),
  'forgets itself in quotes': sending('max-age="0"; includeSubDomains'),
  'has no max-age': sending('includeSubDomains; preload'),
  'has a max-age that is no number': sending('max-age=1y'),
  'has a directive twice': sending('max-age=31536000; max-age=31536000'),
  'separates with commas': sending('max-age=31536000, includeSubDomains'),
  'is void, with a good one after it': sending(['max-age=0', 'max-age=31536000']),
  'is only on other pages': ({ path }) => html('x', 200, path === '/' ? {} : { [name]: 'max-age=31536000' }),
  'is absent from the landing page and where it leads': ({ path }) => (path === '/' ? redirect('/home') : html('home')),
};

for (const [what, handler] of firstRows(Object.entries(void_), 3)) {
  test(`a policy that ${what} is found`, async ({ tls }) => {
    const found = await result(handler, { tls });
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /']], found.outcome.reason);
  });
}

const enforced: Record<string, Handler> = {
  'holds for a year': sending('max-age=31536000'),
  'is in quotes, capitals and spaces': sending(' MAX-AGE = "31536000" ; includeSubDomains ; '),
  'has directives nobody knows': sending('max-age=86400; future="x y"'),
  'comes first of two': sending(['max-age=31536000', 'max-age=0']),
  'comes with a redirect': () => ({ status: 301, headers: { location: '/home', [name]: 'max-age=31536000' } }),
  'comes from where the landing page leads': ({ path }) =>
    path === '/' ? redirect('/home') : html('home', 200, { [name]: 'max-age=31536000' }),
};

for (const [what, handler] of firstRows(Object.entries(enforced), 2)) {
  test(`a policy that ${what} is clean`, async ({ tls }) => {
    const found = await result(handler, { tls });
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

test('a site on http only, and one on an address, have nothing to look at', async () => {
  const plain = await result(() => html('hello'), {});
  const onAddress = await result(() => html('hello'), { tls: await certificateFor('127.0.0.1'), host: '127.0.0.1' });
  assert.equal([plain.outcome.kind, onAddress.outcome.kind], ['not-applicable', 'not-applicable']);
});

test('a site that is out of order is not judged, and that is said', async ({ tls }) => {
  const { outcome } = await result(() => html('down', 503), { tls });
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /answered 503/);
});

test.run();
