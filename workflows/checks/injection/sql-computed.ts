import { randomInt } from 'node:crypto';
import type { OpenedInput } from '../inputs/input-request.ts';
import type { Ask } from './sql-decision.ts';

/**
 * Conditions that an engine cannot evaluate, by the text that it would take for something else: a product of two numbers, which its
 * message repeats. They read no table, and all but the message is as before.
 */
const conditions: readonly { engines: RegExp; of(product: string): string }[] = [
  { engines: /^(?:MySQL|MariaDB)$/, of: (product) => `EXTRACTVALUE(1,CONCAT(0x7e,${product}))` },
  { engines: /^(?:PostgreSQL|CockroachDB)$/, of: (product) => `1=CAST(CHR(126)||(${product}) AS INTEGER)` },
  { engines: /^SQL Server$/, of: (product) => `1=CONVERT(INT,CHAR(126)+CAST(${product} AS VARCHAR(12)))` },
  { engines: /^SQLite$/, of: (product) => `json_extract('{}',${product})` },
];

/** A value with which the database shows what it computed: with two factors for the look, and those of the trial for the proof. */
type Computing = (first: string, second: string) => string;

const computingValues = ({ sample }: OpenedInput, engine: string): Computing[] =>
  conditions
    .filter(({ engines }) => engines.test(engine))
    .flatMap(({ of }): Computing[] => [
      (first, second) => `${sample}' AND ${of(`${first}*${second}`)} AND '1'='1`,
      (first, second) => `${sample} AND ${of(`${first}*${second}`)}`,
    ]);

/** A value, as a template, whose error message has the product of two numbers that stand in it as factors alone. */
export async function computedValue(ask: Ask, input: OpenedInput, engine: string): Promise<string | undefined> {
  for (const value of computingValues(input, engine)) {
    const [first, second] = [randomInt(1_000, 10_000), randomInt(1_000, 10_000)];
    const { text } = await ask(value(String(first), String(second)));
    if (text.includes(String(first * second))) return value('‹int›', '‹int2›');
  }
  return undefined;
}
