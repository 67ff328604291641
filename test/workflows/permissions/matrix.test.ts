import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, html, json, redirect } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { ask, cellsOf, type Pages, type Person, page, siteWith } from './support.ts';

const test = suite('the permission matrix');

const order = (owner: Person, number: number) =>
  `<h1>Order</h1><dl><dt>Deliver to</dt><dd>${owner}, ${number % 97} Harbour Street</dd><dt>Contact</dt><dd>${owner}@mail.example</dd></dl>`;
const refusal = (reader: Person | undefined) => page(reader, '<h1>Not for you</h1>', 403);
const orderLinks = { ann: ['/orders/4711'], bob: ['/orders/5810'], root: ['/orders/4711', '/orders/5810'] };

/** Orders that are shown as `show` says. */
const orders = (show: (reader: Person | undefined, owner: Person, content: string) => Answer): Pages => ({
  '/orders/4711': (reader) => show(reader, 'ann', order('ann', 4711)),
  '/orders/5810': (reader) => show(reader, 'bob', order('bob', 5810)),
});

const customers = page(
  'root',
  '<h1>All customers of ours</h1><p>ann@mail.example</p><p>bob@mail.example</p><p>Last month 4,200 crowns</p>',
);

test('public pages are shown to everybody alike, whatever their frame says of who is logged in', async () => {
  const asked = await ask(siteWith({ ann: [], bob: [], root: [] }, {}));
  for (const path of ['/', '/prices']) assert.equal(cellsOf(asked, path), ['shown', 'shown', 'shown', 'shown']);
});

test('a page that is made for who is logged in is private to each, and leads others to log in', async () => {
  const asked = await ask(siteWith({ ann: [], bob: [], root: [] }, {}));
  assert.equal(cellsOf(asked, '/account'), ['login', 'shown private', 'shown private', 'shown private']);
});

test('what another customer is shown of an order that is not theirs is the same as its owner', async () => {
  const open = orders((reader, _, content) => (reader ? page(reader, content) : refusal(reader)));
  const asked = await ask(siteWith(orderLinks, open));
  assert.equal(cellsOf(asked, '/orders/4711'), [
    'refused',
    'shown private = root',
    'shown private = ann',
    'shown private = ann',
  ]);
  assert.is(cellsOf(asked, '/orders/5810')?.[1], 'shown private = bob');
});

further(test)('an API that gives orders to whoever has a session is seen in the same way', async () => {
  const give = (owner: Person, number: number) => (reader: Person | undefined) =>
    reader
      ? json({ number, contact: `${owner}@mail.example`, address: `${number % 97} Harbour Street` })
      : json({ error: 'log in' }, 401);
  const pages = { '/api/orders/4711': give('ann', 4711), '/api/orders/5810': give('bob', 5810) };
  const links = { ann: ['/api/orders/4711'], bob: ['/api/orders/5810'], root: [] };
  const asked = await ask(siteWith(links, pages));
  assert.equal(cellsOf(asked, '/api/orders/4711'), [
    'refused',
    'shown private',
    'shown private = ann',
    'shown private = ann',
  ]);
});

const guarded: Record<
  string,
  [guard: (reader: Person | undefined, owner: Person, content: string) => Answer, cell: string]
> = {
  'refuses them': [
    (reader, owner, content) => (reader === owner || reader === 'root' ? page(reader, content) : refusal(reader)),
    'refused',
  ],
  'has nothing there for them': [
    (reader, owner, content) =>
      reader === owner || reader === 'root' ? page(reader, content) : page(reader, '<h1>Nothing here</h1>', 404),
    'not_found',
  ],
  'says no with status 200': [
    (reader, owner, content) =>
      page(
        reader,
        reader === owner || reader === 'root' ? content : '<h1>Order</h1><p>This one is not yours to see.</p>',
      ),
    'withheld',
  ],
  'shows them their own instead': [
    (reader, owner, content) =>
      page(reader, reader === owner || reader === 'root' ? content : order(reader ?? 'root', 8)),
    'withheld',
  ],
};
for (const [name, [show, cell]] of Object.entries(guarded)) {
  test(`a site that ${name} is said to do so`, async () => {
    const asked = await ask(siteWith(orderLinks, orders(show)));
    assert.match(cellsOf(asked, '/orders/4711')?.[1] ?? '', 'shown private');
    assert.is(cellsOf(asked, '/orders/4711')?.[2], cell);
    assert.is(cellsOf(asked, '/orders/5810')?.[1], cell);
  });
}

test('a page of the administration that users are shown too is the same as the administrator’s', async () => {
  const pages = { '/admin/customers': (reader: Person | undefined) => (reader ? customers : redirect('/login')) };
  const asked = await ask(siteWith({ ann: [], bob: [], root: ['/admin/customers'] }, pages));
  assert.equal(cellsOf(asked, '/admin/customers'), [
    'login',
    'shown private = root',
    'shown private = root',
    'shown private',
  ]);
});

further(test)('news that all who are logged in are led to and shown alike are no secret between them', async () => {
  const pages = {
    '/news': (reader: Person | undefined) =>
      reader ? page(reader, '<h1>News for members</h1><p>The workshop opens on Monday</p>') : redirect('/login'),
  };
  const asked = await ask(siteWith({ ann: ['/news'], bob: ['/news'], root: [] }, pages));
  assert.equal(cellsOf(asked, '/news'), ['login', 'shown private = bob', 'shown private = ann', 'shown private = ann']);
});

test('a page that asks for the login in place of its content leads to log in', async () => {
  const form = '<form method="post" action="/login"><input name="user"><input type="password" name="password"></form>';
  const pages = { '/invoices': (reader: Person | undefined) => (reader ? page(reader, order(reader, 3)) : html(form)) };
  const asked = await ask(siteWith({ ann: ['/invoices'], bob: ['/invoices'], root: [] }, pages));
  assert.equal(cellsOf(asked, '/invoices')?.slice(0, 2), ['login', 'shown private']);
});

further(test)('what is open without a link is shown to everybody', async () => {
  const pages = {
    '/export.csv': () => ({ headers: { 'content-type': 'text/csv' }, body: 'name,crowns\nFloor lamp,240\n' }),
  };
  const asked = await ask(siteWith({ ann: [], bob: [], root: ['/export.csv'] }, pages));
  assert.equal(cellsOf(asked, '/export.csv'), ['shown', 'shown', 'shown', 'shown']);
  assert.equal(asked.matrix.addresses?.find(({ route }) => route === '/export.csv')?.linkedFor, ['root']);
});

test('files that are no text are compared as a whole', async () => {
  const pages = {
    '/statement': (reader: Person | undefined) =>
      reader
        ? { headers: { 'content-type': 'application/octet-stream' }, body: 'statement of the year' }
        : refusal(reader),
  };
  const asked = await ask(siteWith({ ann: ['/statement'], bob: [], root: [] }, pages));
  assert.equal(cellsOf(asked, '/statement'), [
    'refused',
    'shown private',
    'shown private = ann',
    'shown private = ann',
  ]);
});

further(test)('redirects elsewhere, missing pages and faults are reported with their status', async () => {
  const pages: Pages = {
    '/old': (reader) => (reader === 'ann' ? redirect('/prices', 301) : page(reader, 'Gone', 410)),
    '/sign-on': (reader) =>
      reader === 'ann'
        ? page(reader, order('ann', 5))
        : redirect('https://id.example/start?client_id=1&response_type=code'),
    '/report': (reader) => (reader === 'ann' ? page(reader, order('ann', 7)) : page(reader, 'Broken', 503)),
  };
  const asked = await ask(siteWith({ ann: ['/old', '/sign-on', '/report'], bob: [], root: [] }, pages));
  assert.equal(cellsOf(asked, '/old'), ['not_found', 'redirected', 'not_found', 'not_found']);
  assert.equal(cellsOf(asked, '/sign-on')?.slice(0, 3), ['login', 'shown private', 'login']);
  assert.equal(cellsOf(asked, '/report')?.slice(0, 3), ['other', 'shown private', 'other']);
  const [, moved] = asked.matrix.addresses?.find(({ route }) => route === '/old')?.permissions ?? [];
  assert.equal([moved?.status, moved?.detail], [301, `${asked.site.url}/prices`]);
});

further(test)('texts that change with each load make no page private', async () => {
  const pages = {
    '/quote': (reader: Person | undefined) =>
      page(reader, `<h1>Quote of the day</h1><p>Visit ${randomUUID()}</p><p>Ticket ${randomUUID()}</p>`),
  };
  const asked = await ask(siteWith({ ann: ['/quote'], bob: ['/quote'], root: ['/quote'] }, pages));
  assert.equal(cellsOf(asked, '/quote'), ['shown', 'shown', 'shown', 'shown']);
});

test.run();
