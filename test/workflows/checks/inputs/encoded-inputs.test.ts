import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { encodedInputs } from '../../../../workflows/checks/inputs/encoded-inputs.ts';
import type { InputSurface } from '../../../../workflows/model/surface.ts';
import { html, startSite } from '../../../fixtures/site.ts';
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

test.run();
