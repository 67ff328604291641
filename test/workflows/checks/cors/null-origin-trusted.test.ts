import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { nullOriginTrusted } from '../../../../workflows/checks/cors/null-origin-trusted.check.ts';
import { type Handler, html, json, type Request, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('cors.null-origin-trusted');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, nullOriginTrusted);
  } finally {
    await site.close();
  }
}

type Allow = (origin: string) => Record<string, string>;

const reading = (origin: string, credentials = 'true') => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': credentials,
  vary: 'Origin',
});

const site =
  (ofPage: Allow, ofApi: Allow): Handler =>
  (request: Request) => {
    const origin = request.headers.origin ?? '';
    if (request.path === '/') return html('<a href="/api/me">Me</a>', 200, ofPage(origin));
    return request.path === '/api/me' ? json({ name: 'guest' }, 200, ofApi(origin)) : undefined;
  };

const none: Allow = () => ({});
const listed = new Set(['null', 'https://app.northwind.example']);

further(test)('a site that has "null" in its list is one finding with a place for each part', async () => {
  const allow: Allow = (origin) => (listed.has(origin) ? reading(origin) : {});
  const found = await result(site(allow, allow));
  assert.equal([places(found), found.findings[0]?.locations?.length], [['GET /api/me Origin'], 2]);
});

test('an API that always answers for "null" is found at the API alone', async () => {
  assert.equal(places(await result(site(none, () => reading('null')))), ['GET /api/me Origin']);
});

further(test)('it is info where the site knows no visitors, and medium where it does', async () => {
  const api = site(none, () => reading('null'));
  const shop: Handler = (request) =>
    request.path === '/' ? html('<a href="/api/me">Me</a><form method="post"><input name="q"></form>') : api(request);
  const severities = [(await result(api)).findings[0]?.severity, (await result(shop)).findings[0]?.severity];
  assert.equal(severities, [Severity.INFO, Severity.MEDIUM]);
});

const careful: Record<string, Handler> = {
  'has a list without it': site(none, (origin) => (origin === 'https://app.northwind.example' ? reading(origin) : {})),
  'lets it read without credentials': site(none, (origin) => ({ 'access-control-allow-origin': origin })),
  'lets everybody read what is public': site(none, () => ({ 'access-control-allow-origin': '*' })),
  'has credentials with a star, which browsers refuse': site(none, () => reading('*')),
  'spells true in a way that browsers refuse': site(none, (origin) => reading(origin, 'True')),
  'answers for "null" in capitals': site(none, () => reading('NULL')),
  'repeats every origin, which is another weakness': site(none, reading),
  'speaks of no origin': site(none, none),
};

for (const [what, handler] of firstRows(Object.entries(careful), 3)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
  });
}

test('no address is asked twice by the same name, so that shared caches keep nothing of it', async () => {
  const running = await startSite(site(none, () => reading('null')));
  try {
    await runOn(running.url, nullOriginTrusted);
    const asked = running.requests.filter((line) => /\/api\/me\?(?!k[0-9a-f]{6}=k)/.test(line));
    assert.is(asked.length, 5);
    assert.is(new Set(asked).size, asked.length, asked.join('\n'));
  } finally {
    await running.close();
  }
});

test('a site that is out of order has nothing to look at', async () => {
  assert.is((await result(() => html('down', 503))).outcome.kind, 'not-applicable');
});

test.run();
