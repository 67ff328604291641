import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { inputsToProbe, loginNames } from '../inputs/probe-inputs.ts';
import { statementFields } from '../inputs/sql-consoles.ts';
import { cheapLook, lookAtEach } from './look-at-each.ts';
import { computedValue } from './sql-computed.ts';
import { askerOf } from './sql-decision.ts';
import { otherGrammars, type SqlError, sqlErrorIn, sqlErrorLine } from './sql-errors.ts';

/** `computed` is a value with which the message shows what the database has computed. */
type Broken = { input: OpenedInput; detail: string; computed?: string; cvss?: string };

/** A statement that breaks: that more can be done with it was not seen. */
const brokenOnly = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N';

const maxInputs = 300;

/** A quote in a value breaks the grammar of a database statement, and the answer says so. Source: CWE-89, WSTG-INPV-05. */
export const sqlError = defineCheck<Broken>({
  id: 'injection.sql-error',
  weakness: 'sql-injection',
  title: 'SQL injection (error-based)',
  cwe: 89,
  owasp: 'A05:2025',
  // Reading is what every such place allows; whether it can write depends on the statement and the account.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const inputs = [...inputsToProbe(context.surface), ...loginNames(context.surface)];
    const consoles = [...statementFields(context.surface)];
    if (consoles.length > 0)
      context.leave({
        code: 'would_act',
        count: consoles.length,
        text: `visitors write whole statements in ${consoles.slice(0, 5).join(', ')}: no other ones were sent`,
      });
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    return lookAtEach(context, inputs, maxInputs, (input) => look(context, input), cheapLook);
  },

  async confirm(context, candidate) {
    const found = candidate.data;
    return found && experimentFor(context, found);
  },

  explain: {
    description:
      'The value becomes part of the text of a database statement. A quote in it ends the text that it was meant to be, the database refuses the statement as ungrammatical, and the page shows its message. The same value with the quote written so that SQL does not take it for the end gives no error.',
    impact:
      'Whoever can end the text can go on with SQL of their own: read the tables that the application can read, passwords and customers included, and, depending on the statement and the rights of the account, change them. The message shows each attempt’s result, which makes it quick.',
    sends:
      'Sends each input its own value with an odd quote, and with the quote doubled, in a comment or in a pair; where that breaks a statement, also a condition whose error has a product of two numbers. No table is read.',
    proves:
      'An odd quote is answered with the grammar error of a known database; the site’s own value and the balanced quote are not. The value is part of the statement. High where a message also has a product that the database computed; else medium, as a statement only broke. No data was read.',
    remedy:
      'Bind values instead of putting them into the statement: `db.prepare("SELECT … WHERE name = ?").all(name)` (Node), `$stmt = $pdo->prepare("… WHERE id = :id"); $stmt->execute(["id" => $id]);` (PHP), `cursor.execute("… WHERE id = %s", (id,))` (Python), `PreparedStatement` (Java), `FromSqlInterpolated` (EF Core). Names of columns and directions of sorting cannot be bound: take them from a list. Escaping by hand is no remedy. Show visitors a plain error page and keep the message for the log.',
    references: [
      'CWE-89: https://cwe.mitre.org/data/definitions/89.html',
      'WSTG-INPV-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05-Testing_for_SQL_Injection',
      'OWASP SQL Injection Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
    ],
  },
});

/** One request finds either quote: each is inside of the other only when one of them began a text. */
async function look(context: CheckContext, input: OpenedInput): Promise<Broken | undefined> {
  const ask = askerOf(context, input);
  const answer = await ask(`${input.sample}'"‹nonce›`);
  const error = sqlErrorIn(answer.text);
  if (!error) return undefined;
  const base = await ask(input.sample);
  const own = sqlErrorIn(answer.text, base.text);
  const line = own && sqlErrorLine(own, answer.text);
  if (!own) return undefined;
  const computed = await computedValue(ask, input, own.engine);
  const detail = `${own.engine} answered a quote with: ${line}.`;
  return computed === undefined
    ? { input, detail, cvss: brokenOnly }
    : { input, detail: `${detail} Another message showed a value that it had computed.`, computed };
}

/**
 * The same value with the quote where SQL does not take it for the beginning or end of a text. Which one fits shows how the value stands
 * in the statement; what has to be distinguished from a refusal on other grounds must be answered as the site's own value is.
 */
const twinsOf = ({ sample }: OpenedInput, quote: string) => [
  { value: `${sample}${quote}${quote}‹nonce›`, how: 'doubled', asBase: false },
  { value: `${sample}/*${quote}‹nonce›*/`, how: 'in a comment', asBase: true },
  ...(/^\d{1,15}$/.test(sample)
    ? [{ value: `${sample} AND ${quote}‹nonce›${quote}=${quote}‹nonce›${quote}`, how: 'in a pair', asBase: true }]
    : []),
];

type ShownSqlError = {
  input: OpenedInput;
  computed: string | undefined;
  error: SqlError;
  quote: string;
  twin: { value: string; how: string };
};

async function experimentFor(context: CheckContext, { input, computed }: Broken): Promise<Experiment | undefined> {
  const ask = askerOf(context, input);
  const base = await ask(input.sample);
  for (const quote of ["'", '"']) {
    const odd = await ask(`${input.sample}${quote}‹nonce›`);
    const error = sqlErrorIn(odd.text, base.text);
    if (!error) continue;
    for (const twin of twinsOf(input, quote)) {
      const answer = await ask(twin.value);
      const isLikeBase = !twin.asBase || answer.status === base.status;
      if (isLikeBase && sqlErrorIn(answer.text) === undefined) return quoted({ input, computed, error, quote, twin });
    }
  }
  return undefined;
}

const quoted = ({ input, computed, error, quote, twin }: ShownSqlError): Experiment => {
  const { engine, pattern } = error;
  const refused = [
    claim('body', 'matches', pattern, `The message is that of ${engine} for a statement that breaks its grammar.`),
    claim('body', 'not-matches', otherGrammars, 'It is not about a language inside of a bound value.'),
  ];
  const step = (value: string, note: string, expect: Step['expect']): Step[] =>
    inputSteps(input, inputAction(input, value), { note, expect });
  return {
    steps: [
      ...step(input.sample, "With the site's own value there is no such message.", [
        claim('body', 'not-matches', pattern),
      ]),
      ...(computed === undefined
        ? []
        : inputSteps(input, inputAction(input, computed), {
            note: 'A message has the product of two numbers that were sent: the database computed it.',
            expect: [claim('body', 'contains', '‹product:int:int2›')],
            isShown: true,
          })),
      ...step(
        `${input.sample}${quote}‹nonce›`,
        'With an odd quote in the value the database refuses the statement.',
        refused,
      ),
    ],
    control: step(
      twin.value,
      `With the quote ${twin.how}, where SQL does not take it for an end, the statement is accepted.`,
      refused,
    ),
  };
};
