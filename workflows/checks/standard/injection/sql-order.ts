import type { Exchange } from '../../../probe/types.ts';
import { claim, type Experiment, type Step } from '../../../proof/experiment.ts';
import { escapePattern } from '../../../proof/pattern.ts';
import { newTrialValues } from '../../../proof/template.ts';
import { type CheckContext, defineCheck, type InputSurface, notApplicable } from '../../contract.ts';
import { foundAt, type Looked, lookAtEach } from '../../support/look-at-each.ts';
import { inputAction, inputsToProbe, sendInput } from '../../support/probe-inputs.ts';
import { shuffled } from '../../support/shuffled.ts';
import type { Comparison } from '../../support/sql-comparisons.ts';
import { isInOrder, ordersBy, ordersFor, swapped } from '../../support/sql-orders.ts';

type Ordering = {
  input: InputSurface;
  comparison: Comparison;
  status: number;
  /** Texts that the page shows in this order when the comparison is true, and in the other one when it is false. */
  pair: [first: string, second: string];
  detail: string;
};

const maxInputs = 100;

/** A condition in the name of a column is evaluated by the database, which decides the order of a list. Source: CWE-89, WSTG-INPV-05. */
export const sqlOrder = defineCheck<Looked<Ordering>>({
  id: 'injection.sql-order',
  title: 'A condition in the order of a list is evaluated by the database (SQL injection)',
  cwe: 89,
  owasp: 'A05:2025',
  // Any data can be read, one yes or no at a time.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const inputs = inputsToProbe(context.surface).filter(({ parameter, sample }) => ordersBy(parameter, sample));
    if (inputs.length === 0) return notApplicable('No page takes the name of a column to order a list by.');
    return lookAtEach(context, inputs, maxInputs, (input) => look(context, input));
  },

  confirm: (_context, candidate) => {
    const found = foundAt(candidate);
    return found && experimentFor(found);
  },

  explain: {
    description:
      'The value is put into ORDER BY of a database statement. A condition there decides in which order the list comes: that of the column when it is true, another one when it is false, although both are made of the same words. With a misspelt keyword the statement is refused.',
    impact:
      'The order of the list answers any question about the database with yes or no. A program asks some thousand of them in a minute, and so reads whole tables, passwords and customers included. That errors are hidden changes nothing.',
    remedy:
      'Names of columns and directions cannot be bound: take them from a list. `const column = { price: "price", name: "title" }[sort] ?? "title";` (Node), `$column = in_array($sort, ["price", "name"], true) ? $sort : "name";` (PHP), `ORDERS.get(request.args.get("sort"), Product.name)` (SQLAlchemy), `Sort.by(Column.valueOf(sort).path)` (Spring Data). Quoting the name is no remedy, since the quote can be part of the value.',
    references: [
      'CWE-89: https://cwe.mitre.org/data/definitions/89.html',
      'WSTG-INPV-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05-Testing_for_SQL_Injection',
      'OWASP SQL Injection Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
    ],
  },
});

async function look(context: CheckContext, input: InputSurface): Promise<Ordering | undefined> {
  const ask: Ask = (template, fresh = false) =>
    sendInput(context, inputAction(input, template), newTrialValues(context.nonce), { fresh });
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

type Ask = (template: string, fresh?: boolean) => Promise<Exchange>;

/** Two texts whose order a true comparison keeps, and a false one turns round, each time. */
async function decidedBy(ask: Ask, { whenTrue, whenFalse }: Comparison, base: Exchange) {
  const other = await ask(whenFalse('‹int›'));
  const pair = other.status === base.status ? swapped(base.text, other.text) : undefined;
  if (!pair) return undefined;
  const isKept = ({ status, text }: Exchange) => status === base.status && isInOrder(text, pair);
  if (!isKept(await ask(whenTrue('‹int›'))) || !isKept(await ask(whenTrue('‹int›'), true))) return undefined;
  const again = await ask(whenFalse('‹int›'), true);
  return isInOrder(again.text, [pair[1], pair[0]]) ? pair : undefined;
}

/** The comparisons come in an order that nobody can foresee, so that no list that merely alternates follows it. */
function experimentFor({ input, comparison, status, pair: [first, second] }: Ordering): Experiment {
  const inOrder = (...texts: string[]) => [
    claim('status', 'equals', String(status)),
    claim('body', 'matches', `(?s)${texts.map(escapePattern).join('.*')}`, 'Two entries of the list, in this order.'),
  ];
  const step = (template: string, note: string, expect: Step['expect']): Step => ({
    http: inputAction(input, template),
    note,
    expect,
  });
  const compared = (number: string, truth: boolean) =>
    truth
      ? step(comparison.whenTrue(number), 'With a true comparison the list is in this order.', inOrder(first, second))
      : step(comparison.whenFalse(number), 'With a false one of the same words it is not.', inOrder(second, first));
  const usual = step(input.sample, "The list in the order of the site's own value.", inOrder(first, second));
  const order = shuffled([false, false, true, true]);
  // One of each kind shows a reader the difference.
  const isShown = (truth: boolean, index: number) => truth !== order.at(-1) && index === order.indexOf(truth);
  return {
    steps: [
      usual,
      ...order.map((truth, index) => ({
        ...compared(`‹int${index + 1}›`, truth),
        isShown: isShown(truth, index),
      })),
    ],
    control: [
      usual,
      step(
        comparison.broken('‹int5›'),
        'With a misspelt keyword it is no SQL, and the list is not shown so.',
        inOrder(first, second),
      ),
    ],
  };
}
