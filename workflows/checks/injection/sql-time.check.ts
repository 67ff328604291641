import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessLookedUp } from './data-only.ts';
import { delayingHeaders } from './delaying-headers.ts';
import { type Delayed, delayExperiment, delayedBy } from './delays.ts';
import { isOfAnother } from './interpreters.ts';
import { fewOfKind, lookAtEach } from './look-at-each.ts';
import { askerOf } from './sql-decision.ts';
import { sqlDelaysFor, sqlDelaysStored } from './sql-delays.ts';
import { sqlErrorIn } from './sql-errors.ts';
import { sqlDecisionAt } from './sql-place.ts';
import { showsUnparsable } from './unparsable.ts';

type Waiting = { input: OpenedInput; delayed: Delayed; detail: string };

const maxInputs = 300;

/** A delay in a value is carried out by the database. Source: CWE-89, WSTG-INPV-05. */
export const sqlTime = defineCheck<Waiting>({
  id: 'injection.sql-time',
  weakness: 'sql-injection',
  title: 'SQL injection (time-based blind)',
  cwe: 89,
  owasp: 'A05:2025',
  // Any data can be read, one yes or no at a time.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 15,

  async detect(context) {
    // What writes, and what a visitor is known by, could stand in the condition of a statement that writes: it may on a test system.
    const takesCookies = context.writes === 'create';
    const inputs = inputsToProbe(context.surface).filter(
      ({ method, in: place, isStored }) =>
        (method === 'GET' && (place === 'query' || place === 'path' || (place === 'cookie' && takesCookies))) ||
        (method === 'POST' && place === 'body' && !isStored),
    );
    const headers = await lookInHeaders(context);
    if (inputs.length === 0 && headers.candidates.length === 0)
      return notApplicable('No page takes a value to read by that may be changed.');
    const looked = await lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessLookedUp(context, (input) => look(context, input)),
      fewOfKind,
    );
    return {
      candidates: [...looked.candidates, ...headers.candidates],
      omitted: [...looked.omitted, ...headers.omitted],
    };
  },

  confirm: (_context, { data }) => data && delayExperiment(data.input, data.delayed),

  explain: {
    description:
      'The value becomes part of a database statement. The page shows nothing of what the statement gives, but a function in the value that makes the database wait delays the answer by the time that the value asks for.',
    impact:
      'A condition before the delay answers any question about the database with yes or no. A program asks some hundred of them in a few minutes, and so reads whole tables, passwords and customers included. Depending on the statement and the rights of the account, data can be changed as well.',
    sends:
      'Sends values in addresses, of forms not seen to write, headers of a visit and, with `writes: "create"`, cookies what makes the database wait up to four seconds, or count as long (SQLite, H2). Conditions only narrow, numbers for a stored text are those of no row.',
    proves:
      'Answers follow delays in random order, on a line whose slope is the number of times that the statement runs, twice; with the function misspelt nothing waits. The database evaluates input: an attacker reads it bit by bit. No data was read.',
    remedy:
      'Bind values instead of putting them into the statement: `db.prepare("SELECT … WHERE name LIKE ?").all("%" + name + "%")` (Node), `$stmt = $pdo->prepare("… WHERE id = :id"); $stmt->execute(["id" => $id]);` (PHP), `cursor.execute("… WHERE id = %s", (id,))` (Python), `PreparedStatement` (Java), `FromSqlInterpolated` (EF Core). Names of columns and directions of sorting cannot be bound: take them from a list. A plain error page is no remedy.',
    references: [
      'CWE-89: https://cwe.mitre.org/data/definitions/89.html',
      'WSTG-INPV-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05-Testing_for_SQL_Injection',
      'OWASP SQL Injection Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
    ],
  },
});

async function look(context: CheckContext, input: OpenedInput): Promise<Waiting | undefined> {
  if (await isOfAnother(context, input, ['sql'])) return undefined;
  // What a statement stores decides nothing of the page.
  const stored = (await showsUnparsable(context, input)) ? [] : sqlDelaysStored();
  const delayed = await delayedBy(context, input, [...sqlDelaysFor(input), ...stored]);
  if (!delayed || (await isShownOtherwise(context, input))) return undefined;
  return { input, delayed, detail: `The value stands in ${delayed.delaying.where}.` };
}

/** Statistics of visits are stored with the headers of each, and no page shows them. */
async function lookInHeaders(context: CheckContext) {
  const delayings = sqlDelaysStored().filter(({ paced }) => paced === undefined);
  const late = await delayingHeaders(context, delayings);
  return lookAtEach<Waiting>(context, late, maxInputs, async (input) => {
    const delayed = await delayedBy(context, input, delayings);
    return delayed && { input, delayed, detail: `The value stands in ${delayed.delaying.where}.` };
  });
}

/** What the page shows by errors or by its content is one weakness, and the other checks' finding. */
async function isShownOtherwise(context: CheckContext, input: OpenedInput): Promise<boolean> {
  const ask = askerOf(context, input);
  const { text } = await ask(`${input.sample}'"‹nonce›`);
  if (sqlErrorIn(text)) return true;
  return (await sqlDecisionAt(context, input)) !== undefined;
}
