import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pathTraversal } from '../../../../workflows/checks/injection/path-traversal.check.ts';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { encodedInputs } from '../../../../workflows/checks/inputs/encoded-inputs.ts';
import { inputAction } from '../../../../workflows/checks/inputs/input-request.ts';
import type { InputSurface } from '../../../../workflows/model/surface.ts';
import { fill, newTrialValues } from '../../../../workflows/proof/template.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('inputs in encoded values');

const cookie = (sample: string): InputSurface => ({
  ...{ method: 'GET', url: 'http://shop.localhost/', route: '/', parameter: 'prefs' },
  ...{ in: 'cookie', sample, others: [] },
});
const base64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');

test('each text of encoded JSON is an input, and so is a text', () => {
  const found = encodedInputs([
    cookie(base64({ lang: 'en', show: { per: 20, all: true } })),
    cookie(base64('lamps/new')),
  ]);
  assert.equal(
    found.map(({ parameter, sample }) => [parameter, sample]),
    [
      ['prefs.lang', 'en'],
      ['prefs.show.per', '20'],
      ['prefs', 'lamps/new'],
    ],
  );
});

test('three signs in base64 are distinguished from a word by their capitals', () => {
  const found = encodedInputs(['MTIz', 'YWRh', 'John', 'USA1', 'abcd'].map(cookie));
  assert.equal(
    found.map(({ sample }) => sample),
    ['123', 'ada'],
  );
});

test('each text of what PHP has serialized is an input, and is written with its length', () => {
  const [file, size] = encodedInputs([cookie(base64('O:5:"Theme":2:{s:4:"file";s:9:"light.css";s:4:"size";i:12;}'))]);
  assert.equal(
    [file, size].map((input) => [input?.parameter, input?.sample]),
    [
      ['prefs.file', 'light.css'],
      ['prefs.size', '12'],
    ],
  );
  const { headers = [] } = inputAction(file as InputSurface, '../‹nonce›é');
  const sent = fill(
    headers[0]?.[1] ?? '',
    newTrialValues(() => 'abcdefghij'),
  ).replace('prefs=', '');
  const written = Buffer.from(sent, 'base64').toString();
  assert.is(written, 'O:5:"Theme":2:{s:4:"file";s:15:"../abcdefghijé";s:4:"size";i:12;}');
  const [plain] = encodedInputs([cookie('a:1:{s:4:"lang";s:2:"en";}')]);
  const [header] = inputAction(plain as InputSurface, '‹nonce›').headers ?? [];
  const inCookie = fill(
    header?.[1] ?? '',
    newTrialValues(() => 'abcdefghij'),
  );
  assert.is(inCookie, `prefs=${encodeURIComponent('a:1:{s:4:"lang";s:10:"abcdefghij";}')}`);
});

test('of a large value a few are', () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, 'v']));
  assert.is(encodedInputs([cookie(base64(many))]).length, 6);
  assert.equal(encodedInputs([cookie(base64('['.repeat(2_000)))]), []);
});

/** Prices in the currency that a cookie names, and how that is read. */
function shop(read: (database: DatabaseSync, currency: string) => { sign: string } | undefined) {
  const database = new DatabaseSync(':memory:');
  database.exec(
    "CREATE TABLE currencies (code TEXT, sign TEXT); INSERT INTO currencies VALUES ('EUR', 'euros'), ('USD', 'dollars')",
  );
  return async () => {
    const site = await startSite(({ path, headers }) => {
      if (path !== '/') return undefined;
      const value = /\bprefs=([^;]+)/.exec(String(headers.cookie ?? ''))?.[1];
      let currency = 'EUR';
      try {
        currency = (JSON.parse(Buffer.from(value ?? '', 'base64').toString()) as { currency: string }).currency;
      } catch {}
      let sign: string | undefined;
      try {
        sign = read(database, String(currency))?.sign;
      } catch {}
      const page = html(`<ul><li>Tent: 120 ${sign ?? 'of something'}</ul>`);
      return value === undefined
        ? { ...page, headers: { ...page.headers, 'set-cookie': `prefs=${base64({ lang: 'en', currency: 'EUR' })}` } }
        : page;
    });
    try {
      return await runOn(site.url, sqlBoolean);
    } finally {
      await site.close();
      database.close();
    }
  };
}

type Row = { sign: string } | undefined;

test('a text in a cookie of encoded JSON that stands in a statement is found', async () => {
  const found = await shop(
    (database, currency) => database.prepare(`SELECT sign FROM currencies WHERE code = '${currency}'`).get() as Row,
  )();
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET / prefs.currency']], found.outcome.reason);
});

test('one that is bound is clean', async () => {
  const found = await shop(
    (database, currency) => database.prepare('SELECT sign FROM currencies WHERE code = ?').get(currency) as Row,
  )();
  assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
});

/** A style sheet whose file an object of PHP in a cookie names. */
async function styles(nameOf: (file: string) => string) {
  const object = (file: string) => `O:5:"Theme":1:{s:4:"file";s:${file.length}:"${file}";}`;
  const site = await startSite(({ path, headers }) => {
    if (path !== '/') return undefined;
    const value = /\btheme=([^;]+)/.exec(String(headers.cookie ?? ''))?.[1];
    if (value === undefined)
      return html('<p>Light</p>', 200, { 'set-cookie': `theme=${base64(object('light.css'))}; Path=/` });
    const text = Buffer.from(decodeURIComponent(value), 'base64').toString();
    const [, length, file = ''] = /^O:5:"Theme":1:\{s:4:"file";s:(\d+):"(.*)";\}$/s.exec(text) ?? [];
    const isWhole = Number(length) === Buffer.byteLength(file);
    return html(isWhole ? `<style>${read(join('/srv/styles', nameOf(file)))}</style>` : '<p>Broken</p>');
  });
  const read = (file: string) => (file === '/etc/passwd' ? 'root:x:0:0:root:/root:/bin/sh\n' : 'p { color: black }');
  try {
    return places(await runOn(site.url, pathTraversal));
  } finally {
    await site.close();
  }
}

further(test)('a file that an object of PHP in a cookie names is found, and its last name alone is clean', async () => {
  assert.equal(await styles((file) => file), ['GET / theme.file']);
  assert.equal(await styles(basename), []);
});

test.run();
