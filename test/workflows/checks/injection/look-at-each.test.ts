import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lookAtEach } from '../../../../workflows/checks/injection/look-at-each.ts';
import type { Exchange, HttpProbe } from '../../../../workflows/model/http.ts';
import type { Omitted } from '../../../../workflows/model/omission.ts';
import { ProbeError } from '../../../../workflows/model/probe-error.ts';
import type { InputSurface, PageSurface } from '../../../../workflows/model/surface.ts';

const test = suite('looking at each input');

const unexpected = () => {
  throw new Error('these inputs need nothing of their page');
};
const http: HttpProbe = { send: unexpected, get: unexpected, newJar: unexpected };
const withAllowance = (allowance: () => number, pages: PageSurface[] = []) => ({
  ...{ allowance, http, surface: { pages }, runId: 'run', nonce: unexpected, writes: 'reversible' as const },
});
const plenty = withAllowance(() => 100);

const inputs = ['a', 'b', 'c', 'd'].map(
  (parameter): InputSurface => ({
    method: 'GET',
    url: `https://shop.example/?${parameter}=1`,
    route: '/',
    parameter,
    in: 'query',
    sample: '1',
    others: [],
  }),
);

const codesOf = (omitted: readonly Omitted[]) => omitted.map(({ code, count }) => [code, count]);

test('what gives no answer is reported, and keeps the others from nothing', async () => {
  const { candidates, omitted } = await lookAtEach(plenty, inputs, 10, async (input) => {
    if (input.parameter === 'a') throw new ProbeError('timeout', 'no answer');
    return input.parameter === 'd' ? undefined : { input, detail: `at ${input.parameter}` };
  });
  assert.equal(
    candidates.map(({ location, detail }) => [location.parameter, detail]),
    [
      ['b', 'at b'],
      ['c', 'at c'],
    ],
  );
  assert.is(candidates[0]?.data?.detail, 'at b');
  assert.equal(codesOf(omitted), [['unreachable', 1]]);
  assert.match(omitted[0]?.text ?? '', /^timeout at .*: no answer$/);
});

test('a check that was cut short goes on with the inputs that it has not looked at', async () => {
  let left = 2;
  const surface = { pages: [] };
  const looked: string[] = [];
  const look = async (input: InputSurface) => {
    left -= 1;
    looked.push(input.parameter);
    if (input.parameter === 'a') throw new ProbeError('timeout', 'no answer');
    return { input };
  };
  const inTurn = () => ({ ...withAllowance(() => Math.max(0, left)), surface, checkId: 'family.check' });
  const [two, rest] = [inputs.slice(0, 2), inputs.slice(0, 3)];
  await lookAtEach(inTurn(), two, 10, look);
  left = 10;
  const { candidates } = await lookAtEach(inTurn(), rest, 10, look);
  assert.equal([looked, candidates.length], [['a', 'b', 'a', 'c'], 2]);
  const other = { ...inTurn(), checkId: 'family.other' };
  await lookAtEach(other, two, 10, look);
  assert.is(looked.length, 6);
});

test('addresses that differ in numbers alone are compared once for all checks', async () => {
  const sent: string[] = [];
  const send: HttpProbe['send'] = async ({ url }) => {
    sent.push(url);
    return {
      status: 200,
      text: url.includes('/2') ? 'Not here' : url,
      header: () => '',
      request: { url },
    } as unknown as Exchange;
  };
  const context = { ...plenty, http: { ...http, send }, surface: { pages: [] } };
  const [first] = inputs as [InputSurface];
  const alike = [1, 2, 3].map((number) => ({ url: `https://shop.example/${number}`, sample: '1', others: [] }));
  const look = async () => {
    const looked: string[] = [];
    await lookAtEach(context, [{ ...first, alike }], 10, async ({ url }) => void looked.push(url));
    return looked;
  };
  assert.equal(await look(), [first.url, 'https://shop.example/2']);
  const { length } = sent;
  assert.equal([await look(), sent.length], [[first.url, 'https://shop.example/2'], length]);
});

test('inputs beyond the limit are reported', async () => {
  const looked: string[] = [];
  const { omitted } = await lookAtEach(plenty, inputs, 3, async ({ parameter }) => void looked.push(parameter));
  assert.equal(looked, ['a', 'b', 'c']);
  assert.equal(codesOf(omitted), [['too_many', 1]]);
  assert.match(omitted[0]?.text ?? '', /^1 of 4 inputs was not tried: the check tries 3 at most/);
});

test('when the allowance is used up, the rest is reported', async () => {
  let left = 2;
  const scarce = withAllowance(() => left);
  const { omitted } = await lookAtEach(scarce, inputs, 10, async () => void left--);
  assert.equal(codesOf(omitted), [['budget', 2]]);
  assert.match(omitted[0]?.text ?? '', 'excludedPaths');
});

test('paths that the org excluded are reported as such', async () => {
  const { candidates, omitted } = await lookAtEach(plenty, inputs, 10, async () => {
    throw new ProbeError('excluded', 'the org excluded it');
  });
  assert.equal(candidates, []);
  assert.equal(new Set(omitted.map(({ code }) => code)), new Set(['excluded']));
  assert.is(omitted.length, 4);
});

test('a fault of the check, and an end of the scan, end it', async () => {
  for (const error of [new TypeError('fault'), new ProbeError('canceled', 'over')]) {
    const ended = await lookAtEach(plenty, inputs, 10, () => Promise.reject(error)).catch((thrown: unknown) => thrown);
    assert.is(ended, error);
  }
});

/** Pages of a catalogue, which are built alike, and an input on each. */
const catalogue = (
  count: number,
  pathOf = (number: number) => `lamps/${'abcdefghij'[number % 10]}-${number}x`,
  inCommon = 16,
) => {
  const urls = Array.from({ length: count }, (_, number) => `https://shop.example/${pathOf(number)}`);
  const pages = urls.map(
    (url, page): PageSurface => ({
      url,
      status: 200,
      contentType: 'text/html',
      headers: [],
      setCookies: [],
      title: '',
      scripts: [],
      source: '',
      shape: Array.from({ length: 16 }, (_, index) => (index < inCommon ? index : 100 * (page + 1) + index)),
    }),
  );
  const given = urls.map(
    (url): InputSurface => ({
      method: 'GET',
      url: `${url}?view=1`,
      route: new URL(url).pathname,
      parameter: 'view',
      in: 'query',
      sample: '1',
      others: [],
    }),
  );
  return { pages, given };
};

test('of inputs of one kind some are looked at, and the others are reported without being a gap', async () => {
  const { pages, given } = catalogue(160);
  let looked = 0;
  const { candidates, omitted } = await lookAtEach(
    withAllowance(() => 1_000, pages),
    given,
    300,
    async () => void looked++,
  );
  assert.equal([looked, candidates.length], [25, 0]);
  assert.equal(codesOf(omitted), [['alike', 135]]);
  assert.match(omitted[0]?.text ?? '', /^135 of 160 inputs were not tried one by one: enough of the same kind were$/);
});

test('of the rows of a form two are looked at', async () => {
  const { pages, given } = catalogue(
    100,
    (number) => `page${'abcdefghij'[number % 10]}${'abcdefghij'[Math.floor(number / 10)]}`,
  );
  const rows = Array.from({ length: 30 }, (_, row): InputSurface => {
    const url = 'https://rows.example/notes';
    return {
      ...{ method: 'POST', url, route: '/notes', in: 'body', sample: '' },
      parameter: `files[${row}][title]`,
      others: [],
    };
  });
  const looked: string[] = [];
  const all = [...given, ...rows];
  await lookAtEach(
    withAllowance(() => 1_000, pages),
    all,
    300,
    async ({ parameter }) => void looked.push(parameter),
  );
  assert.is(looked.filter((parameter) => parameter.startsWith('files')).length, 2);
});

test('a small site is looked at as a whole', async () => {
  const { pages, given } = catalogue(60);
  let looked = 0;
  const { omitted } = await lookAtEach(
    withAllowance(() => 1_000, pages),
    given,
    300,
    async () => void looked++,
  );
  assert.equal([looked, omitted], [60, []]);
});

test('a page that a site has under each of its things is looked at three times, at whatever depth', async () => {
  const under = (number: number) => `${'wiki/'.repeat(number % 3)}thing${'abcdefghij'[number]}/find`;
  const lookedAt = async (...of: Parameters<typeof catalogue>) => lookedOf(catalogue(...of));
  const lookedOf = async ({ pages, given }: ReturnType<typeof catalogue>) => {
    let looked = 0;
    const context = withAllowance(() => 1_000, pages);
    const { omitted } = await lookAtEach(context, given, 300, async () => void looked++);
    return [looked, codesOf(omitted)];
  };
  assert.equal(await lookedAt(10, under), [3, [['alike', 7]]]);
  const { pages, given } = catalogue(10, under);
  const posted = given.map(
    (input): InputSurface => ({
      ...{ ...input, method: 'POST', in: 'body', url: input.url.replace(/find.*/, 'preview') },
      page: { url: input.url, tokens: [] },
    }),
  );
  assert.equal(await lookedOf({ pages, given: posted }), [3, [['alike', 7]]], 'forms of such pages');
  assert.equal(await lookedAt(6, under), [6, []], 'few');
  assert.equal(await lookedAt(10, under, 8), [10, []], 'pages that are built differently');
  assert.equal(await lookedAt(10, (number) => `thing/find${'abcdefghij'[number]}`), [10, []], 'other ends');
});

test('an input of another kind that was left out is a gap, whatever stood for the others', async () => {
  const { pages, given } = catalogue(20);
  let left = 8;
  const other = inputs.slice(0, 1).map((input) => ({ ...input, url: 'https://shop.example/find?a=1' }));
  const { omitted } = await lookAtEach(
    withAllowance(() => left, pages),
    [...given, ...other],
    9,
    async ({ parameter }) => {
      if (parameter === 'a') throw new ProbeError('timeout', 'no answer');
      left--;
    },
  );
  assert.match(omitted.find(({ code }) => code === 'alike')?.text ?? '', /^1[12] of 21 inputs/);
  assert.match(omitted[0]?.text ?? '', /no answer/);
});

test.run();
