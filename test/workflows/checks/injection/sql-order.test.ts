import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlOrder } from '../../../../workflows/checks/injection/sql-order.check.ts';
import { type Handler, html, json, type Request } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { places, stored } from '../harness.ts';
import { type SqlSite, sqlRuns } from './sql-sites.ts';

const test = suite('injection.sql-order');

const { result, resultOf } = sqlRuns(sqlOrder);

type Lamp = { title: string; price: number };
type Orders = (sort: string) => string;

/** Rows that stand in the order of no column. */
const rows: [string, number][] = [
  ['Paper lamp', 20],
  ['Desk lamp', 95],
  ['Floor lamp', 35],
  ['Reading lamp', 60],
];

/** What goes wrong is hidden: the list is empty then. */
function shop(orders: Orders, show: (lamps: Lamp[]) => ReturnType<Handler>, link: string): SqlSite {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE lamps (title TEXT, price INTEGER)');
  for (const row of rows) database.prepare('INSERT INTO lamps VALUES (?, ?)').run(...row);
  const list = (sort: string) => {
    try {
      return database.prepare(`SELECT title, price FROM lamps ORDER BY ${orders(sort)}`).all() as Lamp[];
    } catch {
      return [];
    }
  };
  return {
    handler: ({ path, query }) => {
      if (path === '/') return html(`<a href="${link}">Lamps</a>`);
      return path === '/lamps'
        ? show(list(query.get('sort') ?? query.get('orderBy') ?? query.get('dir') ?? 'title'))
        : undefined;
    },
    close: () => database.close(),
  };
}

const table = (lamps: Lamp[]) =>
  html(lamps.map(({ title, price }) => `<tr><td>${title}<td>${price} EUR</tr>`).join(''));
const api = (items: Lamp[]) => json({ id: crypto.randomUUID(), items });
const listed: Orders = (sort) => (['title', 'price'].includes(sort) ? sort : 'title');

/** By price, in the direction that the link names. */
const directed: Orders = (direction) => `price ${direction}`;
const titled: Orders = (direction) => `title ${direction}`;
const titledEitherWay: Orders = (direction) => `title ${direction.toLowerCase() === 'desc' ? 'DESC' : 'ASC'}`;
const eitherWay: Orders = (direction) => `price ${direction.toLowerCase() === 'desc' ? 'DESC' : 'ASC'}`;

const shapes: [string, Orders, Parameters<typeof shop>[1], string, string, Orders?][] = [
  ['a page ordered by a text', (sort) => sort, table, '/lamps?sort=title', 'GET /lamps sort'],
  ['a page with a direction', (sort) => `${sort}, title`, table, '/lamps?sort=price%20desc', 'GET /lamps sort'],
  ['an API ordered by a number', (sort) => `${sort} DESC`, api, '/lamps?orderBy=price', 'GET /lamps orderBy'],
  ['a page with a name in quotes', (sort) => `"${sort}" ASC`, table, '/lamps?sort=price', 'GET /lamps sort'],
  ['a page with a name in backticks', (sort) => `\`${sort}\``, table, '/lamps?sort=price', 'GET /lamps sort'],
  ['a page of texts with a name in backticks', (sort) => `\`${sort}\``, table, '/lamps?sort=title', 'GET /lamps sort'],
  [
    'a page of numbers without spaces',
    (sort) => sort.replace(/\s/g, ''),
    table,
    '/lamps?sort=price',
    'GET /lamps sort',
  ],
  [
    'a page of texts that refuses spaces',
    (sort) => (/\s/.test(sort) ? 'rowid' : sort),
    table,
    '/lamps?sort=title',
    'GET /lamps sort',
  ],
  ['a page that takes a direction', directed, table, '/lamps?dir=asc', 'GET /lamps dir', eitherWay],
  ['a page that takes the direction of texts', titled, table, '/lamps?dir=asc', 'GET /lamps dir', titledEitherWay],
  [
    'a page that takes the direction of texts without quotes',
    (direction) => (/['"]/.test(direction) ? '*' : `title ${direction}`),
    table,
    '/lamps?dir=asc',
    'GET /lamps dir',
    titledEitherWay,
  ],
  ['an API that takes a direction', directed, api, '/lamps?dir=DESC', 'GET /lamps dir', eitherWay],
];

/** As engines are that negate no date, with rows that stand in the order of their dates. */
const dated: Orders = (sort) => {
  if (/-"?title/.test(sort)) throw new Error('operator does not exist');
  return `${sort.replaceAll('title', 'rowid')} ASC`;
};
shapes.push(['a page whose rows stand in order', dated, table, '/lamps?sort=title', 'GET /lamps sort']);

for (const [what, orders, show, link, place, mended = listed] of firstRows(shapes, 4)) {
  test(`${what} is found, although errors are hidden`, async () => {
    const found = await resultOf(shop(orders, show, link));
    assert.equal([found.outcome.kind, places(found)], ['found', [place]], found.outcome.reason);
  });

  test(`${what} whose columns and directions come from a list is clean`, async () => {
    const found = await resultOf(shop(mended, show, link));
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('a list that comes in an order of its own when the statement is refused is found', async () => {
  const anyOrder = (sort: string) => `${/BETWEN/.test(sort) ? 'rowid' : sort}`;
  const found = await resultOf(shop(anyOrder, table, '/lamps?sort=price'));
  assert.equal(places(found), ['GET /lamps sort'], found.outcome.reason);
});

const names = ['Paper lamp', 'Desk lamp', 'Floor lamp', 'Wall lamp'];
let count = 0;
const turned = () => (count++ % 2 === 0 ? names : names.toReversed());
const listOf =
  (order: (request: Request) => string[]): Handler =>
  (request) => {
    if (request.path === '/') return html('<a href="/lamps?sort=title">Lamps</a>');
    return request.path === '/lamps'
      ? html(
          order(request)
            .map((name) => `<li>${name}</li>`)
            .join(''),
        )
      : undefined;
  };

for (const [what, handler] of Object.entries({
  'a list in an order by chance': listOf(() => names.toSorted(() => Math.random() - 0.5)),
  'a list whose order alternates': listOf(turned),
  'a list in another order for unknown names': listOf(({ query }) =>
    query.get('sort') === 'title' ? names : names.toReversed(),
  ),
  'a list ordered by the length of the value': listOf(({ query }) =>
    (query.get('sort') ?? '').length % 2 ? names : names.toReversed(),
  ),
  'a list in an order by the first numbers in the value': listOf(({ query }) => {
    const [a = 0, b = 0] = (query.get('sort')?.match(/\d+/g) ?? []).map(Number);
    return a <= b ? names : names.toReversed();
  }),
})) {
  test(`${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('directions in words of no database, and values that are no columns, are not tried', async () => {
  const found = await result(({ path }) =>
    path === '/' ? html('<a href="/lamps?sort=ascending&order=12&by=a-b&q=title">Lamps</a>') : html('<p>none</p>'),
  );
  assert.is(found.outcome.kind, 'not-applicable');
});

test('the proof turns the order by comparisons of the same words, and a misspelt one fails', async () => {
  const found = await resultOf(shop((sort) => sort, table, '/lamps?sort=title'));
  const [proof] = found.findings.map((finding) => finding.proof);
  assert.equal([proof?.trials, proof?.steps?.length, proof?.control?.length], [2, 5, 2]);
  assert.match(stored(found), /BETWEN%20/);
});

test.run();
