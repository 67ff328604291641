import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { idorNeighbour } from '../../../../workflows/checks/access/idor-neighbour.check.ts';
import { ownerNumberPlaces } from '../../../../workflows/checks/access/neighbour-numbers.ts';
import { ownerPlaces } from '../../../../workflows/checks/access/neighbour-owner.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';

const test = suite('records that say by a number whose they are');

const session = 'session-of-five-77b1';
const records = [
  { id: 9001, user_id: 4, total: 70, memo: 'Chairs' },
  { id: 9002, user_id: 5, total: 12, memo: 'Pens' },
  { id: 9003, user_id: 6, total: 31, memo: 'Lamps' },
];

/** An interface that lists what is of the user whom the request names, or who asks. */
const site =
  (kind: string, mayRead: (user: number) => boolean, isOpen = false): Handler =>
  ({ path, query, cookies }) => {
    const isIn = cookies.sid === session;
    if (path === '/') return html('<a href="/api/me">Me</a>');
    if (path === '/api/me') return isIn ? json({ user_id: 5, list: `/api/${kind}?user_id=5` }) : json({}, 401);
    if (path !== `/api/${kind}`) return undefined;
    if (!isIn && !isOpen) return json({}, 401);
    const user = Number(query.get('user_id'));
    return mayRead(user) ? json(records.filter(({ user_id }) => user_id === user)) : json({}, 403);
  };

async function found(handler: Handler): Promise<number> {
  const started = await startSite(handler);
  const identity = { name: 'A', cookies: { sid: session }, checkPath: '/api/me', marker: '"user_id":5' };
  try {
    return (await runOn(started.url, idorNeighbour, { identities: [identity], startPaths: ['/api/me'] })).findings
      .length;
  } finally {
    await started.close();
  }
}

for (const [what, handler, count] of [
  ['invoices of somebody else are found', site('invoices', () => true), 1],
  ['invoices are clean where each reads their own alone', site('invoices', (user) => user === 5), 0],
  ['posts are for everybody', site('posts', () => true), 0],
  ['invoices that anybody may read are no finding', site('invoices', () => true, true), 0],
] satisfies [string, Handler, number][])
  test(what, async () => {
    assert.is(await found(handler), count);
  });

test('every record has to be somebody else’s', () => {
  const [own, theirs] = ['[{"user_id":5}]', '[{"user_id":4},{"user_id":4}]'];
  assert.is(ownerNumberPlaces('/orders', own, theirs, ['5'])[0]?.owner, '4');
  assert.equal(ownerNumberPlaces('/orders', own, '[{"user_id":4},{"user_id":5}]', ['5']), []);
  assert.equal(ownerNumberPlaces('/orders', own, '[]', ['5']), []);
  assert.equal(ownerNumberPlaces('/orders', '[{"user_id":4}]', theirs, ['5']), []);
});

test('who asked for something is somebody else by an address, and not by a name alone', () => {
  const page = (who: string) => `<td>Opened by</td><td>${who}</td>`;
  const places = (own: string, theirs: string) =>
    ownerPlaces(page(own), page(theirs), ['henry'], { elsewhere: [], mailOnly: false }).length;
  assert.is(places('henry@post.example', 'irene@post.example'), 1);
  assert.is(places('henry', 'irene'), 0);
  const written = (who: string) => `<p>Written by ${who}`;
  assert.is(
    ownerPlaces(written('henry@post.example'), written('irene@post.example'), ['henry'], {
      ...{ elsewhere: [], mailOnly: false },
    }).length,
    0,
  );
});

test.run();
