import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckContext } from '../../../../workflows/checks/contract.ts';
import { handledAlike } from '../../../../workflows/checks/injection/handled-alike.ts';
import type { Exchange, HttpProbe } from '../../../../workflows/model/http.ts';
import type { InputSurface } from '../../../../workflows/model/surface.ts';

const test = suite('inputs that a program with many parts handles alike');

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

test('each input of a test system is looked at by itself', async () => {
  const { context, sent } = siteWith(() => 'All about tea');
  assert.equal([...(await handledAlike({ ...context, writes: 'create' }, inputs))], []);
  assert.equal(sent, []);
});

test.run();
