import type { Candidate } from '../../model/candidate.ts';
import type { Experiment } from '../../model/experiment.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { withAnsweredSample } from './answered-samples.ts';
import { unlessLookedUp } from './data-only.ts';
import { type DecidedPage, pageExperiment } from './decided-page.ts';
import { isOfAnother } from './interpreters.ts';
import { lookAtEach } from './look-at-each.ts';
import { sqlDecisionAt } from './sql-place.ts';

type Answering = DecidedPage & { input: OpenedInput; detail: string };

const maxInputs = 300;

/** A comparison in a value is evaluated by the database, which decides what the page shows. Source: CWE-89, WSTG-INPV-05. */
export const sqlBoolean = defineCheck<Answering>({
  id: 'injection.sql-boolean',
  weakness: 'sql-injection',
  title: 'SQL injection (boolean-based blind)',
  cwe: 89,
  owasp: 'A05:2025',
  // Any data can be read, one yes or no at a time; whether it can be written depends on the statement and the account.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 25,

  async detect(context) {
    const inputs = inputsToProbe(context.surface);
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    const looked = await lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessLookedUp(context, (input) => look(context, input)),
    );
    return { ...looked, candidates: inFrontOfAll(looked.candidates) };
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value becomes part of a database statement. A comparison that follows it there decides what the page shows: everything as usual when it is true, less when it is false, although both are made of the same words. With a misspelt keyword the statement is refused.',
    impact:
      'The page answers any question about the database with yes or no. A program asks some thousand of them in a minute, and so reads whole tables, passwords and customers included. Depending on the statement and the rights of the account, data can be changed as well.',
    sends:
      'Sends each input conditions that only narrow (`… AND …`, or `8-1` for `7`), true, false and with a misspelt keyword; where only errors show, false ones divide by zero.',
    proves:
      'True conditions show the page of the value and false ones with the same words do not, twice each in random order; a misspelt keyword does not show it. The database evaluates input: an attacker reads it bit by bit. No data was read.',
    remedy:
      'Bind values instead of putting them into the statement: `db.prepare("SELECT … WHERE name LIKE ?").all("%" + name + "%")` (Node), `$stmt = $pdo->prepare("… WHERE id = :id"); $stmt->execute(["id" => $id]);` (PHP), `cursor.execute("… WHERE id = %s", (id,))` (Python), `PreparedStatement` (Java), `FromSqlInterpolated` (EF Core). Convert what has to be a number before it is used. Names of columns and directions of sorting cannot be bound: take them from a list. Suppressing error messages is no remedy.',
    references: [
      'CWE-89: https://cwe.mitre.org/data/definitions/89.html',
      'WSTG-INPV-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05-Testing_for_SQL_Injection',
      'OWASP SQL Injection Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
    ],
  },
});

/** Of so many pages with the same header it is what stands in front of them that reads it. */
const fewestPages = 3;

/** A header that is read in front of all pages is one mistake. */
function inFrontOfAll(candidates: readonly Candidate<Answering>[]): Candidate<Answering>[] {
  const headerOf = ({ location }: Candidate<unknown>) =>
    location.parameterIn === 'header' ? location.parameter : undefined;
  const pagesOf = Map.groupBy(candidates, headerOf);
  return candidates.map((candidate) => {
    const header = headerOf(candidate);
    const isOfAll = header !== undefined && (pagesOf.get(header)?.length ?? 0) >= fewestPages;
    return isOfAll ? { ...candidate, route: '/' } : candidate;
  });
}

async function look(context: CheckContext, input: OpenedInput): Promise<Answering | undefined> {
  if (await isOfAnother(context, input, ['sql'])) return undefined;
  const decided = await sqlDecisionAt(context, input);
  if (decided) return answering(input, decided);
  const known = await withAnsweredSample(context, input);
  const again = known && (await sqlDecisionAt(context, known));
  return known && again && answering(known, again);
}

function answering(input: OpenedInput, decided: DecidedPage): Answering {
  return { input, ...decided, detail: `The value stands in the statement as ${decided.comparison.where}.` };
}

const experimentFor = ({ input, detail: _, ...decided }: Answering): Experiment =>
  pageExperiment(input, decided, { language: 'SQL' });
