import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { idorRead } from '../../../../workflows/checks/access/idor-read.check.ts';
import { type Answer, html, json, type Request, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { places, runOn, testBrowsers } from '../harness.ts';

const test = suite('requests that name an account in a header or a body');

const browsers = testBrowsers();
test.after(() => browsers.close());

const members = [
  { number: 6114, session: 'session-of-vera-41c9', code: 'KX-4471-08' },
  { number: 6115, session: 'session-of-olaf-90be', code: 'TR-9920-31' },
] as const;
type Member = (typeof members)[number];

type Design = {
  /** What the script of the account page sends, and how the server reads it. */
  way: 'header' | 'body';
  /** Whose parcels a request is given. */
  given: (asked: Member | undefined, reader: Member | undefined) => Member | undefined;
  name?: string;
  path?: string;
  /** What stands before the number. */
  prefix?: string;
};

/** A locker for parcels, whose answers bear no name. */
async function result({ way, given, name = 'X-Account', path = '/api/parcels', prefix = '' }: Design) {
  const asks = (number: number) =>
    way === 'header'
      ? `fetch('${path}', { headers: { '${name}': '${prefix}${number}' } })`
      : `fetch('${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ${name}: ${number} }) })`;
  const site = await startSite((request: Request): Answer | undefined => {
    const reader = members.find(({ session }) => session === request.cookies.sid);
    if (request.path === '/') return html('<h1>Lockers</h1><a href="/account">Parcels</a>');
    if (request.path === '/account')
      return reader ? html(`<p>My parcels</p><script>${asks(reader.number)}</script>`) : html('<p>Log in</p>', 403);
    if (request.path !== path) return undefined;
    const sent = way === 'header' ? request.headers[name.toLowerCase()] : /:\s*(\d+)\s*}/.exec(request.body ?? '')?.[1];
    const asked = members.find(({ number }) => prefix + number === sent);
    const owner = given(asked, reader);
    return owner ? json({ parcels: [{ state: 'at the locker', code: owner.code }] }) : json({}, 401);
  });
  const identities = members.map(({ session }, index) => ({
    ...{ name: 'AB'[index] ?? '', cookies: { sid: session } },
    ...{ checkPath: '/account', marker: 'My parcels' },
  }));
  try {
    const options = { identities, browsers, startPaths: ['/account'], depth: 'deep' as const };
    return await runOn(site.url, idorRead, options);
  } finally {
    await site.close();
  }
}

const askedFor: Design['given'] = (asked, reader) => (reader ? asked : undefined);

test('a header that says whose parcels are asked for is found, and clean where the session says it', async () => {
  const found = await result({ way: 'header', given: askedFor });
  assert.equal([places(found), found.findings.length], [['GET /api/parcels x-account'], 1], found.outcome.reason);
  const patched = await result({ way: 'header', given: (_asked, reader) => reader });
  assert.equal(patched.findings, [], patched.outcome.reason);
});

further(test)('a header with a number behind letters is found', async () => {
  const found = await result({ way: 'header', prefix: 'AC-', given: askedFor });
  assert.equal(places(found), ['GET /api/parcels x-account'], found.outcome.reason);
});

further(test)('a body that says it is found, and clean where another number is refused', async () => {
  const body = { way: 'body', name: 'customer_id', path: '/api/parcels/search' } as const;
  const found = await result({ ...body, given: askedFor });
  assert.equal(places(found), ['POST /api/parcels/search customer_id'], found.outcome.reason);
  const patched = await result({ ...body, given: (asked, reader) => (asked === reader ? reader : undefined) });
  assert.equal(patched.findings, [], patched.outcome.reason);
});

test('what everybody is given, a shop that each has chosen, and profiles are nobody’s alone', async () => {
  for (const design of [
    { way: 'header', given: (asked) => asked },
    { way: 'header', given: askedFor, name: 'X-Store-Id' },
    { way: 'header', given: askedFor, path: '/api/profile' },
  ] satisfies Design[]) {
    const { findings, outcome } = await result(design);
    assert.equal(findings, [], outcome.reason);
  }
});

test.run();
