import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isListOfRecords, personalPlaces } from '../../../../workflows/checks/access/empty-lists.ts';
import { idorNeighbour } from '../../../../workflows/checks/access/idor-neighbour.check.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';

const test = suite('lists of new accounts, which are empty');

const session = 'session-of-henry-7c2b10';
const idOf = (name: string): string => createHash('sha256').update(`reader ${name}`).digest('hex').slice(0, 32);
const homes = new Map([
  ['henry', [] as object[]],
  ['greta', [{ street: 'Weaver Lane 8', town: 'Marsh', phone: '+44 1632 960 123' }]],
]);

/** Letters name their writers by random identifiers, by which lists are asked for as well. */
const site =
  (path: string, mayRead: (reader: string | undefined, name: string) => boolean): Handler =>
  ({ path: asked, cookies }) => {
    const reader = cookies.sid === session ? 'henry' : undefined;
    if (asked === '/') return html('<a href="/letters">Letters</a><a href="/me">Me</a>');
    if (asked === '/letters') return json([{ text: 'Fine.', writerId: idOf('greta') }]);
    const name = [...homes.keys()].find((each) => asked === `/people/${idOf(each)}/${path}`);
    if (name !== undefined && mayRead(reader, name)) return json(homes.get(name));
    if (!reader) return { status: 302, headers: { location: '/' } };
    if (asked === '/me') return json({ id: idOf('henry'), name: 'henry', lists: `/people/${idOf('henry')}/${path}` });
    return undefined;
  };

/** The user has stored one, as the audit does on a test system. */
const withOwn =
  (handler: Handler): Handler =>
  (request) =>
    request.path === `/people/${idOf('henry')}/addresses`
      ? json([{ street: 'Mill Road 3', town: 'Dale', phone: '+44 1632 960 777' }])
      : handler(request);

async function count(handler: Handler, path: string): Promise<number> {
  const server = await startSite(handler);
  const identity = { name: 'A', cookies: { sid: session }, checkPath: '/me', marker: 'henry' };
  const startPaths = ['/me', `/people/${idOf('henry')}/${path}`];
  try {
    return (await runOn(server.url, idorNeighbour, { identities: [identity], startPaths })).findings.length;
  } finally {
    await server.close();
  }
}

test('addresses of somebody else that an account without any is given are found', async () => {
  const path = 'addresses';
  assert.is(
    await count(
      site(path, (reader) => reader !== undefined),
      path,
    ),
    1,
  );
});

test('so are those that an account with some of its own is given', async () => {
  const path = 'addresses';
  assert.is(await count(withOwn(site(path, (reader) => reader !== undefined)), path), 1);
  assert.is(await count(withOwn(site(path, (reader, name) => reader === name)), path), 0);
});

for (const [what, path, mayRead] of [
  ['each is given their own alone', 'addresses', (reader?: string, name?: string) => reader === name],
  ['everybody is given them', 'addresses', () => true],
  ['of a kind that members may see of each other', 'shops', (reader?: string) => reader !== undefined],
] as const)
  further(test)(`lists are clean: ${what}`, async () => {
    assert.is(await count(site(path, mayRead), path), 0);
  });

test('what a list has of a person is evidence where it stands nowhere else', () => {
  const list = JSON.stringify(homes.get('greta'));
  assert.equal(
    personalPlaces('[]', list, []).map(({ owner }) => owner),
    ['Weaver Lane 8', '+44 1632 960 123'],
  );
  assert.equal(personalPlaces('[]', list, [list]), []);
  assert.ok(isListOfRecords('[]') && isListOfRecords(list) && !isListOfRecords('<p>'));
});

test.run();
