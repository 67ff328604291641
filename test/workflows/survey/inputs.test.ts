import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createInputList } from '../../../workflows/survey/inputs.ts';

const test = suite('inputs of a survey');

const listOf = (paths: readonly string[]) => {
  const list = createInputList();
  for (const path of paths) list.addUrl(`https://shop.example${path}`);
  return list;
};
const addresses = (paths: readonly string[]): string[] =>
  listOf(paths)
    .all()
    .filter(({ in: place }) => place === 'query')
    .map(({ url }) => url.replace('https://shop.example', ''));

test('a value that the site sends takes the place of one that was made for an address in code', () => {
  const list = createInputList();
  list.addUrl('https://shop.example/api/parts?name=1', true);
  list.addUrl('https://shop.example/api/parts?name=nut');
  list.addUrl('https://shop.example/api/parts?name=1', true);
  assert.equal(
    list.all().map(({ url, sample }) => `${url} ${sample}`),
    ['https://shop.example/api/parts?name=nut nut'],
  );
});

test('of names without a value, which call the pages of a site, eight of a path are tried, and the others counted', () => {
  const list = listOf(Array.from({ length: 30 }, (_, index) => `/?page-${'abcdefghijklmnopqrstuvwxyzABCD'[index]}`));
  for (const path of ['/?page-a', '/other?debug', '/?q=soup']) list.addUrl(`https://shop.example${path}`);
  const names = list.all().map(({ parameter }) => parameter);
  assert.is(names.filter((name) => name.startsWith('page-')).length, 8);
  assert.ok(names.includes('debug') && names.includes('q'));
  assert.is(list.left().find(({ text }) => text.includes('no value'))?.count, 22);
});

test('what a form sends with more beside it takes the place of what a link has alone', () => {
  const list = listOf(['/find?lang=en', '/find?lang=de&what=soup', '/find?lang=fr']);
  assert.equal(
    list.all().map(({ parameter, sample, others }) => `${parameter}=${sample} ${others.map(({ name }) => name)}`),
    ['lang=de what', 'what=soup lang'],
  );
});

test('what is sent beside a choice takes the place of the same beside none', () => {
  const list = listOf([
    '/stock?item=lamp&shop=',
    '/stock?item=lamp&shop=7',
    '/stock?item=rug&shop=',
    '/stock?item=rug&shop=8',
  ]);
  const [item] = list.all();
  assert.equal([item?.sample, item?.others], ['lamp', [{ name: 'shop', value: '7' }]]);
});

test('numbers that stand alone in an address and change with each load are one input, and none beside others', () => {
  const list = listOf(['/run?id=a&1795443262', '/run?id=b&1795443263', '/run?0.7319004412', '/run?3f2ab9c0d1e2']);
  assert.equal(
    list.all().map(({ parameter }) => parameter),
    ['id', '0.7319004412'],
  );
});

test('numbers that have a value, and short ones, are names of inputs', () => {
  const list = listOf(['/run?1795443262=on&1795443263=on&17&18&abc']);
  assert.is(list.all().length, 5);
});

test('forms that are sent to different words of one program have fields of their own, up to five', () => {
  const list = createInputList();
  const form = (query: string) => ({
    ...{ pageUrl: 'https://shop.example/', action: `https://shop.example/desk${query}`, method: 'POST' as const },
    ...{ enctype: 'application/x-www-form-urlencoded', fields: [{ name: 'host', type: 'text', value: 'a' }] },
  });
  for (const query of ['?tool=reach', '?tool=trace', '?tool=reach', '?tool=17', '']) list.addForm(form(query));
  const routes = () => list.all().map(({ route, parameter }) => `${route} ${parameter}`);
  assert.equal(routes(), ['/desk host', '/desk?tool=trace host']);
  for (const letter of 'abcdefgh') list.addForm(form(`?tool=ping-${letter}`));
  assert.is(routes().length, 5);
});

test('programs whose names look like identifiers have inputs of their own, and routes', () => {
  const paths = [
    '/case/ReportOfSales00008?q=a',
    '/case/ReportOfSales00009?q=a',
    '/show-all-my-orders.php?q=a',
    '/show-all-old-orders.php?q=a',
  ];
  const inputs = listOf(paths)
    .all()
    .filter(({ in: place }) => place === 'query');
  assert.equal(inputs.map(({ route }) => route).toSorted(), [
    '/case/ReportOfSales00008',
    '/case/ReportOfSales00009',
    '/show-all-my-orders.php',
    '/show-all-old-orders.php',
  ]);
});

test('an identifier in paths that go on in many ways is an input in a few of them', () => {
  const list = listOf(
    Array.from({ length: 30 }, (_, index) => `/group-07/${'abcdefghij'[index % 10]}${'xyz'[index % 3]}`),
  );
  assert.is(list.all().length, 6);
  assert.match(list.left()[0]?.text ?? '', '24 inputs were not taken up');
});

test('articles and numbered things have inputs of their own, and share a route', () => {
  const paths = [
    '/blog/how-to-choose-lamps?ref=a',
    '/blog/how-to-choose-chairs?ref=a',
    '/item-1?ref=a',
    '/item-2?ref=a',
  ];
  assert.equal(addresses(paths).length, 4);
  const routes = listOf(paths)
    .all()
    .map(({ route }) => route);
  assert.equal([...new Set(routes)].toSorted(), ['/blog/{slug}', '/item-{id}']);
});

test('numbers, dates, hashes and random texts are identifiers, and share an input', () => {
  const kinds = [
    ['/orders/17?q=a', '/orders/18?q=a'],
    ['/on/2026-01-30?q=a', '/on/2026-02-01?q=a'],
    ['/of/0123456789ab?q=a', '/of/0123456789ac?q=a'],
    ['/by/3f2504e0-4f89-11d3-9a0c-0305e82c3301?q=a', '/by/3f2504e0-4f89-11d3-9a0c-0305e82c3302?q=a'],
    ['/to/V1StGXR8_Z5jdHi6B?q=a', '/to/8WStGXR2_Z5jdHi6C?q=a'],
  ];
  for (const paths of kinds) assert.equal(addresses(paths), paths.slice(0, 1));
});

test('addresses that differ in numbers alone stand beside the input that they share, up to 24', () => {
  const list = listOf([
    '/level/1?q=',
    '/level/7?q=a',
    '/level/7?q=b',
    ...Array.from({ length: 30 }, (_, n) => `/item/${n}?q=a`),
  ]);
  const [level, item] = list.all().filter(({ in: place }) => place === 'query');
  assert.is(level?.url, 'https://shop.example/level/7?q=a');
  assert.equal(
    level?.alike?.map(({ url, sample }) => `${url} ${sample}`),
    ['https://shop.example/level/1?q= '],
  );
  assert.is(item?.alike?.length, 24);
  assert.equal(
    list.left().map(({ code, count }) => [code, count]),
    [['alike', 5]],
  );
});

test('files that take the same parameter are one input, and programs are not', () => {
  const files = ['/js/a.js?v=5.2', '/js/lib/b.js?v=5.2', '/c.css?v=5.2', '/d.php?v=5.2', '/e.php?v=5.2', '/a.js?cb=x'];
  const inputs = listOf(files)
    .all()
    .filter(({ in: place }) => place === 'query');
  assert.equal(
    inputs.map(({ url, alike = [] }) => [new URL(url).pathname, ...alike.map((each) => new URL(each.url).pathname)]),
    [['/js/a.js', '/js/lib/b.js'], ['/c.css'], ['/d.php'], ['/e.php'], ['/a.js']],
  );
});

test('the first of each route come first, and beyond 40 names of one they are counted as alike', () => {
  const names = Array.from({ length: 60 }, (_, index) => `/ReportOfSales000${10 + index}?q=a`);
  const list = listOf([...names, '/search?q=a']);
  const inputs = list.all().filter(({ in: place }) => place === 'query');
  assert.equal([inputs.length, inputs[1]?.route], [41, '/search']);
  const [left] = list.left();
  assert.equal([left?.code, left?.count], ['alike', 20]);
});

test('files of code are served as they are, whatever stands in their names', () => {
  const inputs = listOf(['/app/7.BbhN7djG.js', '/app/8/site.css', '/app/9/data.json']).all();
  assert.equal(
    inputs.map(({ url }) => new URL(url).pathname),
    ['/app/9/data.json'],
  );
});

test('parts that a parameter of one address chooses have inputs of their own', () => {
  const list = listOf(['/index.php?view=blog&id=3', '/index.php?view=shop&id=4', '/index.php?view=shop&id=5']);
  const named = list.all().map(({ url, parameter }) => `${parameter} ${url.replace(/.*[?]/, '')}`);
  assert.equal(named, ['view view=blog&id=3', 'id view=blog&id=3', 'id view=shop&id=4']);
});

test('what chooses a part has few inputs, whatever is chosen beside it', () => {
  const acts = ['list', 'edit', 'show', 'move', 'copy', 'fold', 'rank', 'mail'];
  const list = listOf(acts.flatMap((act) => [`/?module=shop&act=${act}&id=3`, `/?module=blog&act=${act}&id=3`]));
  const counted = (name: string) => list.all().filter(({ parameter }) => parameter === name).length;
  assert.equal([counted('module'), counted('act')], [5, 2]);
});

test('so have forms that say their part in the address or in a hidden field', () => {
  const list = createInputList();
  const field = (name: string, value = '', type = 'text') => ({ name, type, value });
  const form = (action: string, ...fields: ReturnType<typeof field>[]) =>
    list.addForm({
      ...{ pageUrl: 'https://shop.example/', action: `https://shop.example${action}` },
      ...{ method: 'POST' as const, enctype: 'application/x-www-form-urlencoded', fields },
    });
  form('/?do=login', field('name'));
  form('/?do=register', field('name'), field('mail'));
  form('/run', field('op', 'ask', 'hidden'), field('name'));
  form('/run', field('op', 'tell', 'hidden'), field('name'));
  const bodies = list.all().filter(({ in: place }) => place === 'body');
  assert.is(bodies.filter(({ parameter }) => parameter === 'name').length, 4);
  assert.is(bodies.filter(({ parameter }) => parameter === 'op').length, 1);
});

test('a form that sends its part by GET has the inputs that links to that part have', () => {
  const list = listOf(['/?view=trips&port=oslo', '/?view=hotels&port=oslo']);
  list.addForm({
    ...{ pageUrl: 'https://shop.example/', action: 'https://shop.example/', method: 'GET', enctype: '' },
    fields: [
      { name: 'view', type: 'hidden', value: 'trips' },
      { name: 'port', type: 'text', value: '' },
    ],
  });
  assert.is(list.all().filter(({ parameter }) => parameter === 'port').length, 2);
});

test('orders, numbers and texts choose no part', () => {
  const list = listOf(['/list?page=1&q=a', '/list?page=2&q=a', '/list?sort=name&q=a', '/list?p=a+b&q=a']);
  assert.is(list.all().filter(({ parameter }) => parameter === 'q').length, 1);
});

test.run();
