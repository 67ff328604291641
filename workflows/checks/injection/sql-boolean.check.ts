import { randomInt } from 'node:crypto';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { InputSurface } from '../../model/surface.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { experimentAt, type Looked, lookAtEach } from '../inputs/look-at-each.ts';
import { clearest, piecesOf } from './page-pieces.ts';
import { inputsToProbe } from './probe-inputs.ts';
import { type Comparison, comparisonsFor } from './sql-comparisons.ts';
import { type Ask, askerOf, decisionExperiment } from './sql-decision.ts';

type Answering = {
  input: OpenedInput;
  value: string;
  comparison: Comparison;
  status: number;
  /** What the page shows when the comparison is true, and lacks when it is false. */
  markers: string[];
  detail: string;
};

const maxInputs = 150;
const maxMarkers = 3;

/** A comparison in a value is evaluated by the database, which decides what the page shows. Source: CWE-89, WSTG-INPV-05. */
export const sqlBoolean = defineCheck<Looked<Answering>>({
  id: 'injection.sql-boolean',
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
    return lookAtEach(context, inputs, maxInputs, (input) => look(context, input));
  },

  confirm: (_context, candidate) => experimentAt(candidate, experimentFor),

  explain: {
    description:
      'The value becomes part of a database statement. A comparison that follows it there decides what the page shows: everything as usual when it is true, less when it is false, although both are made of the same words. With a misspelt keyword the statement is refused.',
    impact:
      'The page answers any question about the database with yes or no. A program asks some thousand of them in a minute, and so reads whole tables, passwords and customers included. Depending on the statement and the rights of the account, data can be changed as well.',
    sends:
      'Sends each input conditions that only narrow (`… AND …`, or `8-1` for `7`), true, false and with a misspelt keyword.',
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

/** Texts that most lists have something for, where the site gives no value itself. */
const startValues = ({ sample }: InputSurface): string[] => (sample === '' ? ['a', '1'] : [sample]);

async function look(context: CheckContext, input: OpenedInput): Promise<Answering | undefined> {
  const ask = askerOf(context, input);
  for (const value of startValues(input)) {
    const base = await ask(value);
    const pieces = base.status < 400 ? await dependingOn(ask, context, value, base) : [];
    if (pieces.length === 0) continue;
    for (const comparison of comparisonsFor(value)) {
      const markers = await decidedBy(ask, comparison, { status: base.status, pieces });
      if (markers.length === 0) continue;
      const detail = `The value stands in the statement as ${comparison.where}.`;
      return { input, value, comparison, status: base.status, markers: clearest(markers, maxMarkers), detail };
    }
    return undefined;
  }
  return undefined;
}

/** Pieces of a page that it has because of the value: always with it, and not with one that fits nothing. */
async function dependingOn(ask: Ask, { nonce }: CheckContext, value: string, base: Exchange): Promise<string[]> {
  const unknown = /^\d+$/.test(value) ? `9${randomInt(10_000_000, 100_000_000)}` : nonce();
  const other = await ask(unknown);
  // A page that only repeats the value has the same pieces around it.
  const echoes = new Set(piecesOf(other.text).map((piece) => piece.replaceAll(unknown, '')));
  const own = piecesOf(base.text).filter(
    (piece) => !other.text.includes(piece) && !(piece.includes(value) && echoes.has(piece.replaceAll(value, ''))),
  );
  return own.length === 0 ? own : presentIn(await ask(value, true), own);
}

const presentIn = ({ text }: Exchange, pieces: readonly string[]) => pieces.filter((piece) => text.includes(piece));
const absentIn = ({ text }: Exchange, pieces: readonly string[]) => pieces.filter((piece) => !text.includes(piece));

/** Pieces that a true comparison keeps and a false one takes away, each time. Empty as soon as nothing is left of them. */
async function decidedBy(
  ask: Ask,
  { whenTrue, whenFalse }: Comparison,
  base: { status: number; pieces: readonly string[] },
): Promise<string[]> {
  const missing = absentIn(await ask(whenFalse('‹int›')), base.pieces);
  if (missing.length === 0) return [];
  const first = await ask(whenTrue('‹int›'));
  const kept = first.status === base.status ? presentIn(first, base.pieces) : [];
  const decided = kept.filter((piece) => missing.includes(piece));
  if (decided.length === 0) return [];
  // A page that shows something else each time loses some of what was there.
  const second = await ask(whenTrue('‹int›'), true);
  if (presentIn(second, kept).length < kept.length) return [];
  return absentIn(await ask(whenFalse('‹int›'), true), decided);
}

function experimentFor({ markers, ...answering }: Answering): Experiment {
  return decisionExperiment({
    ...answering,
    whenTrue: markers.map((marker) => claim('body', 'contains', marker)),
    whenFalse: markers.map((marker) => claim('body', 'not-contains', marker)),
    notes: {
      usual: "With the site's own value the page shows what this value stands for.",
      whenTrue: 'With a true comparison behind the value, the page shows it.',
      whenFalse: 'With a false comparison of the same words, the page lacks it.',
      broken: 'With a misspelt keyword it is no SQL, and the page does not show it.',
    },
  });
}
