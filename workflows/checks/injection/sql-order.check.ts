import { claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessDataOnly } from './data-only.ts';
import { lookAtEach } from './look-at-each.ts';
import type { Comparison } from './sql-comparisons.ts';
import { type Ask, askerOf, decisionExperiment } from './sql-decision.ts';
import { type OrderPair, ordersBy, ordersFor, turnedPair } from './sql-orders.ts';

type Ordering = {
  input: OpenedInput;
  comparison: Comparison;
  status: number;
  /** Texts that the page shows in this order when the comparison is true, and in the other one when it is false. */
  pair: OrderPair;
  detail: string;
};

const maxInputs = 100;

/** A condition in the name of a column is evaluated by the database, which decides the order of a list. Source: CWE-89, WSTG-INPV-05. */
export const sqlOrder = defineCheck<Ordering>({
  id: 'injection.sql-order',
  weakness: 'sql-injection',
  title: 'SQL injection (ORDER BY)',
  cwe: 89,
  owasp: 'A05:2025',
  // Any data can be read, one yes or no at a time.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const inputs = inputsToProbe(context.surface).filter(({ parameter, sample }) => ordersBy(parameter, sample));
    if (inputs.length === 0)
      return notApplicable('No page takes the name of a column or a direction to order a list by.');
    return lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessDataOnly(context, (input) => look(context, input)),
    );
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value is put into ORDER BY of a database statement. A condition there decides in which order the list comes: that of the column when it is true, another one when it is false, although both are made of the same words. With a misspelt keyword the statement is refused.',
    impact:
      'The order of the list answers any question about the database with yes or no. A program asks some thousand of them in a minute, and so reads whole tables, passwords and customers included. That errors are hidden changes nothing.',
    sends:
      'Sends inputs that order a list conditions in the place of a column or direction: true, false and with a misspelt keyword.',
    proves:
      'True conditions order the list one way and false ones with the same words the other, twice each in random order; a misspelt keyword does not. The database evaluates input: an attacker reads it bit by bit. No data was read.',
    remedy:
      'Names of columns and directions cannot be bound: take them from a list. `const column = { price: "price", name: "title" }[sort] ?? "title";` (Node), `$column = in_array($sort, ["price", "name"], true) ? $sort : "name";` (PHP), `ORDERS.get(request.args.get("sort"), Product.name)` (SQLAlchemy), `Sort.by(Column.valueOf(sort).path)` (Spring Data). Quoting the name is no remedy, since the quote can be part of the value.',
    references: [
      'CWE-89: https://cwe.mitre.org/data/definitions/89.html',
      'WSTG-INPV-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05-Testing_for_SQL_Injection',
      'OWASP SQL Injection Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
    ],
  },
});

async function look(context: CheckContext, input: OpenedInput): Promise<Ordering | undefined> {
  const ask = askerOf(context, input);
  const base = await ask(input.sample);
  if (base.status >= 400) return undefined;
  for (const comparison of ordersFor(input.sample)) {
    const pair = await decidedBy(ask, comparison, base);
    if (!pair) continue;
    const detail = `The value stands in ORDER BY as ${comparison.where}.`;
    return { input, comparison, status: base.status, pair, detail };
  }
  return undefined;
}

/** Two texts whose order a true comparison keeps, and a false one turns round, each time. */
async function decidedBy(ask: Ask, { whenTrue, whenFalse, broken }: Comparison, base: Exchange) {
  const isShown = ({ status }: Exchange) => status === base.status;
  const other = await ask(whenFalse('‹int›'));
  if (!isShown(other) || !turnedPair([base.text], [other.text])) return undefined;
  const first = await ask(whenTrue('‹int›'));
  if (!isShown(first) || !turnedPair([base.text, first.text], [other.text])) return undefined;
  const second = await ask(whenTrue('‹int›'), true);
  const again = await ask(whenFalse('‹int›'), true);
  if (!isShown(second) || !isShown(again)) return undefined;
  // Where errors are hidden the list may come in an order of its own, which two of its entries may share with that of the column.
  const refused = await ask(broken('‹int›'));
  return turnedPair(
    [base.text, first.text, second.text],
    [other.text, again.text],
    isShown(refused) ? [refused.text] : [],
  );
}

function experimentFor({ pair: [first, second], ...ordering }: Ordering): Experiment {
  const inOrder = (...texts: string[]) => [
    claim('body', 'matches', `(?s)${texts.map(escapePattern).join('.*')}`, 'Two entries of the list, in this order.'),
  ];
  return decisionExperiment({
    ...ordering,
    value: ordering.input.sample,
    whenTrue: inOrder(first, second),
    whenFalse: inOrder(second, first),
    notes: {
      usual: "The list in the order of the site's own value.",
      whenTrue: 'With a true comparison the list is in this order.',
      whenFalse: 'With a false one of the same words it is not.',
      broken: 'With a misspelt keyword it is no SQL, and the list is not shown so.',
    },
  });
}
