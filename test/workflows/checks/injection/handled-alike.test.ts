import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckContext } from '../../../../workflows/checks/contract.ts';
import { handledAlike as handled } from '../../../../workflows/checks/injection/handled-alike.ts';
import type { Exchange, HttpProbe } from '../../../../workflows/model/http.ts';
import type { InputSurface } from '../../../../workflows/model/surface.ts';

const test = suite('inputs that a program with many parts handles alike');

const enough = 3;
const handledAlike = async (...[context, given]: [Parameters<typeof handled>[0], readonly InputSurface[]]) =>
  new Map([...(await handled(context, given, enough))].map(([input, { name }]) => [input, name]));

const site = 'https://wiki.example/index.php';

const inputOf = (url: string, parameter: string, sample: string): InputSurface => ({
  ...{ method: 'GET', url, route: new URL(url).pathname, parameter, in: 'query', sample },
  others: [...new URL(url).searchParams]
    .filter(([name]) => name !== parameter)
    .map(([name, value]) => ({ name, value })),
});

/** Parts of one program with the same four parameters in each; "part" is looked up, "n" is not read. */
const parts = Array.from({ length: 40 }, (_, number) => `part${String.fromCharCode(97 + (number % 26))}${number}`);
const inputs = parts.flatMap((part) => {
  const url = `${site}?part=${part}&n=1&q=tea&color=blue`;
  return [inputOf(url, 'part', part), inputOf(url, 'n', '1'), inputOf(url, 'q', 'tea'), inputOf(url, 'color', 'blue')];
});

const escaped = (text: string) => text.replace(/[<>&"']/g, (sign) => `&#${sign.codePointAt(0)};`);

/** A database that takes what is joined to a text for the text. */
const inSql = (value: string): string => (value.replace(/'\|\|'$|' '$/, '') === 'tea' ? 'green tea' : 'nothing found');

function siteWith(search: (part: string, value: string) => string | undefined) {
  const sent: string[] = [];
  const send: HttpProbe['send'] = async ({ url }) => {
    sent.push(url);
    const { part = '', q = '', color = '' } = Object.fromEntries(new URL(url).searchParams);
    const shown = parts.includes(part) ? search(part, q) : 'There is no such part';
    const text = `<h1>Wiki</h1><p>${shown}</p><a href="?q=${encodeURIComponent(q)}">${escaped(q)} ${escaped(color)}</a>`;
    return { status: shown === undefined ? 500 : 200, text } as Exchange;
  };
  const unexpected = () => {
    throw new Error('not asked for');
  };
  const http: HttpProbe = { send, get: unexpected, newJar: unexpected };
  const writes: CheckContext['writes'] = 'reversible';
  return { sent, context: { allowance: () => 1_000, http, nonce: () => 'nonce', surface: { inputs }, writes } };
}

test('the inputs of one program have the same name when it answers them alike, and few of one name are asked', async () => {
  const { context, sent } = siteWith(() => 'All about tea');
  const names = await handledAlike(context, inputs);
  assert.is(names.size, inputs.length);
  const namesOf = (parameter: string) =>
    new Set(inputs.filter((input) => input.parameter === parameter).map((input) => names.get(input)));
  assert.equal(
    ['part', 'n', 'q', 'color'].map((parameter) => namesOf(parameter).size),
    [1, 1, 1, 1],
  );
  const [first, ...others] = inputs.slice(1, 4).map((input) => names.get(input));
  assert.equal(others, [first, first]);
  assert.is.not(names.get(inputs[0] as InputSurface), names.get(inputs[2] as InputSurface));
  assert.ok(sent.length < 40, `${sent.length} requests`);
  const before = sent.length;
  await handledAlike(context, inputs);
  assert.is(sent.length, before);
});

test('what a language reads, and what fails, is looked at by itself', async () => {
  for (const search of [
    (_part: string, value: string) => inSql(value),
    (_part: string, value: string) => (/['"]/.test(value) ? undefined : 'green tea'),
    (_part: string, value: string) =>
      /['"]/.test(value) ? 'You have an error in your SQL syntax' : `found ${value.length}`,
  ]) {
    const names = await handledAlike(siteWith(search).context, inputs);
    const named = inputs.filter((input) => names.has(input)).map(({ parameter }) => parameter);
    assert.equal([...new Set(named)], ['part', 'n', 'color']);
  }
});

test('one part that reads a value otherwise keeps the others of its name from speaking for it', async () => {
  const { context } = siteWith((part, value) => (part === parts[1] ? inSql(value) : 'All about tea'));
  const searches = inputs.filter(({ parameter }) => parameter === 'q');
  const names = await handledAlike(context, inputs);
  assert.not(names.has(searches[1] as InputSurface));
  assert.ok(names.has(searches[0] as InputSurface));
});

test('nothing of a smaller site, nor of a program of its own, has a name', async () => {
  const { context, sent } = siteWith(() => 'All about tea');
  const few = inputs.slice(0, 100);
  assert.is((await handledAlike({ ...context, surface: { inputs: few } }, few)).size, 0);
  const own = inputs.map((input, index) => ({ ...input, url: input.url.replace('index', `page${index}`) }));
  assert.is((await handledAlike({ ...context, surface: { inputs: own } }, own)).size, 0);
  assert.is(sent.length, 0);
});

/** Lists of a tracker, for all and for each project, with what they are exported as. */
const lists = [
  'plants',
  'plants.csv',
  'beds',
  'garden/plants',
  'garden/plants.csv',
  'garden/beds',
  'yard/plants',
  'yard/beds',
];
const listQuery = 'sort=name&per=25&group=kind&columns=all&status=open&q=tea&view=1';
const ofLists = lists.flatMap((path) => {
  const url = `https://tracker.example/${path}?${listQuery}`;
  return [...new URLSearchParams(listQuery)].map(([name, value]) => inputOf(url, name, value));
});
const others = inputs.map((input) => ({ ...input, url: input.url.replace('index.php', `${input.sample}/own`) }));

function tracker(search: (path: string, value: string) => string | undefined, given: InputSurface[]) {
  const { context } = siteWith(() => '');
  const sent: string[] = [];
  const send: HttpProbe['send'] = async ({ url }) => {
    sent.push(url);
    const { pathname, searchParams } = new URL(url);
    const shown = search(pathname, searchParams.get('q') ?? '');
    return { status: shown === undefined ? 500 : 200, text: `<h1>List</h1><p>${shown}</p>` } as Exchange;
  };
  return { sent, context: { ...context, http: { ...context.http, send }, surface: { inputs: given } } };
}

test('a parameter that many pages take along with others is one of few names when they answer it alike', async () => {
  const all = [...ofLists, ...others];
  const { context, sent } = tracker(() => 'All about tea', all);
  const names = await handledAlike(context, all);
  assert.ok(ofLists.every((input) => names.has(input)));
  assert.is(new Set(names.values()).size, 7);
  assert.not(others.some((input) => names.has(input)));
  assert.ok(sent.length < 60, `${sent.length} requests`);
});

test('a parameter that makes no difference on any of the pages that share it is looked at once', async () => {
  const four = ofLists.filter(({ url }) => /\/plants(?:\.csv)?\?/.test(url));
  const { context } = tracker((_path, value) => (/^tea\W/.test(value) ? 'No tea' : value), [...four, ...others]);
  const alike = await handled(context, four, enough);
  const enoughOf = (parameter: string) =>
    new Set(four.filter((input) => input.parameter === parameter).map((input) => alike.get(input)?.enough));
  assert.equal([...enoughOf('q'), ...enoughOf('sort')], [enough, 1]);
});

test('parameters of a search with many filters that make no difference have one name, and what it reads has none', async () => {
  const names = Array.from({ length: 14 }, (_, index) => `in${'abcdefghijklmn'[index]}`);
  const url = `https://tracker.example/find?q=tea&${names.map((name) => `${name}=on`).join('&')}`;
  const search = ['q', ...names].map((name) => inputOf(url, name, name === 'q' ? 'tea' : 'on'));
  const { context } = tracker((_path, value) => (/^tea\W/.test(value) ? 'No tea' : value), [...search, ...others]);
  const alike = await handled(context, search, enough);
  assert.not(alike.has(search[0] as InputSurface));
  // A word that finds nothing is no evidence that a search reads nothing.
  const typed = search.map((input) => (input.parameter === 'ina' ? { ...input, sample: 'test' } : input));
  assert.not(
    (await handled({ ...context, surface: { inputs: [...typed, ...others] } }, typed, enough)).has(
      typed[1] as InputSurface,
    ),
  );
  assert.equal(
    search.slice(1).map((input) => alike.get(input)),
    names.map(() => ({ name: 'https://tracker.example/find query. unread', enough })),
  );
});

test('members of a list of which none makes a difference have one name', async () => {
  const keys = ['state', 'author', 'kind', 'bed', 'age'];
  const filters = ['plants', 'plants.csv', 'garden/plants', 'garden/plants.csv'].flatMap((path) => {
    const url = `https://tracker.example/${path}?${keys.map((key) => `op[${key}]==`).join('&')}`;
    return keys.map((key) => inputOf(url, `op[${key}]`, '='));
  });
  const { context } = tracker(() => 'All about tea', [...filters, ...others]);
  const alike = await handled(context, filters, enough);
  assert.equal(
    [...new Set([...alike.values()].map((each) => JSON.stringify(each)))],
    ['{"name":"op[] query. unread","enough":3}'],
  );
});

test('a page among such that reads a parameter otherwise, and pages with one form field in common, have no name', async () => {
  const all = [...ofLists, ...others];
  const { context } = tracker((path, value) => (path === '/plants' ? inSql(value) : 'All about tea'), all);
  const names = await handledAlike(context, all);
  const named = ofLists.filter((input) => names.has(input) && input.parameter === 'q');
  assert.equal(named.length, 7);
  const cases = parts.flatMap((part) => [
    inputOf(`https://cases.example/${part}?q=tea&n=1`, 'q', 'tea'),
    inputOf(`https://cases.example/${part}?q=tea&n=1`, 'n', '1'),
  ]);
  const suiteOfCases = tracker(() => 'All about tea', [...cases, ...others]);
  assert.is((await handledAlike(suiteOfCases.context, cases)).size, 0);
  assert.equal(suiteOfCases.sent, []);
});

test('each input of a test system is looked at by itself', async () => {
  const { context, sent } = siteWith(() => 'All about tea');
  assert.equal([...(await handledAlike({ ...context, writes: 'create' }, inputs))], []);
  assert.equal(sent, []);
});

test.run();
