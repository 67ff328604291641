import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { hstsShort } from '../../../../workflows/checks/headers/hsts-short.check.ts';
import { type Handler, html, redirect, startSite } from '../../../fixtures/site.ts';
import { certificateFor } from '../../probe/support.ts';
import { places, runOn } from '../harness.ts';

const test = suite<{ tls: { key: string; cert: string } }>('headers.hsts-short');
test.before(async (context) => {
  context.tls = await certificateFor('shop.localhost');
});

async function result(handler: Handler, tls?: { key: string; cert: string }) {
  const site = await startSite(handler, tls ? { tls } : {});
  try {
    return await runOn(site.url, hstsShort);
  } finally {
    await site.close();
  }
}

const name = 'Strict-Transport-Security';
const sending = (value: string | string[]) => () => html('hello', 200, { [name]: value });

const short: Record<string, [Handler, Severity]> = {
  'for five minutes': [sending('max-age=300'), Severity.LOW],
  'for a day, in quotes and capitals': [sending(' Max-Age = "86400" ; includeSubDomains'), Severity.LOW],
  'for thirty days, as a framework has it': [sending('max-age=2592000'), Severity.INFO],
  'for a second less than six months': [sending('includeSubDomains; max-age=15767999'), Severity.INFO],
  'for an hour, with a longer one after it that does not count': [
    sending(['max-age=3600', 'max-age=31536000']),
    Severity.LOW,
  ],
};

for (const [what, [handler, severity]] of Object.entries(short)) {
  test(`a policy ${what} is found`, async ({ tls }) => {
    const found = await result(handler, tls);
    assert.equal(
      [found.outcome.kind, places(found), found.findings[0]?.severity],
      ['found', [`GET / ${name}`], severity],
      found.outcome.reason,
    );
  });
}

test('a short policy where the landing page leads is found there', async ({ tls }) => {
  const found = await result(
    ({ path }) => (path === '/' ? redirect('/home') : html('x', 200, { [name]: 'max-age=60' })),
    tls,
  );
  assert.equal(places(found), [`GET /home ${name}`]);
});

const long: Record<string, Handler> = {
  'of six months': sending('max-age=15768000'),
  'of two years': sending('max-age=63072000; includeSubDomains; preload'),
  'that is short on one page and long on another': ({ path }) =>
    path === '/'
      ? html('<a href="/more">More</a>', 200, { [name]: 'max-age=60' })
      : html('x', 200, { [name]: 'max-age=31536000' }),
};

for (const [what, handler] of Object.entries(long)) {
  test(`a policy ${what} is clean`, async ({ tls }) => {
    const found = await result(handler, tls);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

test('a policy that is absent or void is another weakness', async ({ tls }) => {
  for (const handler of [() => html('hello'), sending('max-age=0'), sending('max-age=soon')])
    assert.is((await result(handler, tls)).outcome.kind, 'not-applicable');
});

test('over http browsers ignore the header', async () => {
  assert.is((await result(sending('max-age=60'))).outcome.kind, 'not-applicable');
});

test.run();
