import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { securityTxtMissing } from '../../../../workflows/checks/exposure/security-txt-missing.check.ts';
import { type Handler, html, redirect, startSite } from '../../../fixtures/site.ts';
import { places, runOn } from '../harness.ts';

const test = suite('exposure.security-txt-missing');

async function result(handler: Handler, host?: string) {
  const site = await startSite(handler, host ? { host } : {});
  try {
    return await runOn(site.url, securityTxtMissing, { hosts: ['127.0.0.1'] });
  } finally {
    await site.close();
  }
}

const file = {
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '# Our policy\r\ncontact: mailto:security@northwind.example\r\nExpires: 2030-01-01T00:00:00Z\r\n',
};

const missing: Record<string, Handler> = {
  'has none': ({ path }) => (path === '/' ? html('x') : undefined),
  'shows its home page for every path': () => html('Contact: us'),
  'redirects every unknown path home': ({ path }) => (path === '/' ? html('x') : redirect('/')),
  'has an empty file': ({ path }) => (path.endsWith('.txt') ? { headers: file.headers, body: '\n' } : html('x')),
};

for (const [what, handler] of Object.entries(missing)) {
  test(`a site that ${what} is reported so, for information`, async () => {
    const found = await result(handler);
    assert.equal(
      [found.outcome.kind, places(found)],
      ['found', ['GET /.well-known/security.txt']],
      found.outcome.reason,
    );
    assert.is(found.findings[0]?.severity, Severity.INFO);
  });
}

const clean: Record<string, Handler> = {
  'has the file': ({ path }) => (path === '/.well-known/security.txt' ? file : html('x', path === '/' ? 200 : 404)),
  'has it at the old place': ({ path }) => (path === '/security.txt' ? file : html('x', path === '/' ? 200 : 404)),
  'has it at another host': ({ path }) =>
    path === '/.well-known/security.txt' ? redirect('https://www.example.org/s.txt') : html('x'),
  'has it behind a redirect': ({ path }) =>
    path === '/s.txt' ? file : path.endsWith('security.txt') ? redirect('/s.txt', 301) : html('x'),
  'refuses hidden paths': ({ path }) => html('no', path === '/' ? 200 : 403),
  'is out of order': () => html('down', 503),
};

for (const [what, handler] of Object.entries(clean)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('an address without a name has nothing to look at', async () => {
  assert.is((await result(() => html('x'), '127.0.0.1')).outcome.kind, 'not-applicable');
});

test.run();
