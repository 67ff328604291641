import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { hostHeader } from '../../../../workflows/checks/injection/host-header.check.ts';
import { escapeHtml, type Handler, html, json, type Request, redirect, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';

const test = suite('injection.host-header');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return { ...(await runOn(site.url, hostHeader)), requests: site.requests };
  } finally {
    await site.close();
  }
}

const hostOf = ({ headers }: Request): string =>
  String(headers['x-forwarded-host'] ?? /host=([^;,]+)/.exec(headers.forwarded ?? '')?.[1] ?? headers.host);

const linking =
  (headers: Record<string, string> = {}, page = '/'): Handler =>
  (request) => {
    if (request.path === page) return html(`<a href="https://${hostOf(request)}/about">About</a>`, 200, headers);
    return request.path === '/' ? html(`<a href="${page}">there</a>`) : undefined;
  };

test('links of the host that a header names are found, as of little weight', async () => {
  const found = await result(linking());
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  assert.is(found.findings[0]?.severity, Severity.LOW);
  assert.is(found.findings[0]?.location?.parameter, 'X-Forwarded-Host');
});

test('a redirect to the host of a standard header is found', async () => {
  const found = await result((request) => {
    if (request.path === '/home') return html('home');
    const [, host] = /host=([^;]+)/.exec(request.headers.forwarded ?? '') ?? [];
    return request.path === '/' ? redirect(`http://${host ?? request.headers.host}/home`) : undefined;
  });
  assert.is(found.findings[0]?.location?.parameter, 'Forwarded', found.outcome.reason);
});

further(test)('it weighs more where a cache may keep the page, or a password is reset', async () => {
  const cached = await result(linking({ 'cache-control': 'public, max-age=60' }));
  const reset = await result(linking({}, '/forgot-password'));
  assert.equal([cached.findings[0]?.severity, reset.findings[0]?.severity], [Severity.MEDIUM, Severity.MEDIUM]);
});

further(test)('many pages of an application are one finding', async () => {
  const found = await result((request) =>
    /^\/(?:[abc])?$/.test(request.path)
      ? html(
          `<link rel="canonical" href="//${hostOf(request)}/"><a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>`,
        )
      : undefined,
  );
  assert.equal([found.findings.length, (found.findings[0]?.locations?.length ?? 0) > 1], [1, true]);
});

test('no request could leave an answer in a cache for somebody else', async () => {
  const { requests } = await result(linking());
  const bare = requests.filter((request) => request === 'GET /').length;
  const other = await result(({ path }) => (path === '/' ? html('hello') : undefined));
  assert.is(bare, other.requests.filter((request) => request === 'GET /').length);
});

test('where a cache passes over parameters nothing is tried', async () => {
  let forwarded = 0;
  const found = await result((request) => {
    if (request.headers['x-forwarded-host']) forwarded += 1;
    return linking({ age: '12', 'x-cache': 'HIT' })(request);
  });
  assert.equal([found.outcome.kind, forwarded], ['clean', 0]);
});

const clean: Record<string, Handler> = {
  'a page with relative links': ({ path }) => (path === '/' ? html('<a href="/about">About</a>') : undefined),
  'a page that shows the header as text': (request) =>
    request.path === '/' ? html(`<p>You came by ${escapeHtml(hostOf(request))}</p>`) : undefined,
  'a page for developers that links every header': ({ path, headers }) =>
    path === '/'
      ? html(
          Object.values(headers)
            .map((value) => `<a href="//${escapeHtml(String(value).replace('host=', ''))}/">x</a>`)
            .join(''),
        )
      : undefined,
};

for (const [what, handler] of Object.entries(clean)) {
  test(`${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('a site without pages has nothing to look at', async () => {
  assert.is((await result(() => json({}))).outcome.kind, 'not-applicable');
});

test.run();
