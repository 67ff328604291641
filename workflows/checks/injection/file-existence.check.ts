import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { piecesOf } from '../../probe/html/page-pieces.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { experimentAt, type Looked, lookAtEach } from '../inputs/look-at-each.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { unlessDataOnly } from './data-only.ts';
import { takenAs } from './path-values.ts';
import { inputsToProbe } from './probe-inputs.ts';
import { askerOf } from './sql-decision.ts';
import { isPathLike, unixFiles } from './traversal-payloads.ts';

/** What the page says of a file that is there: a pattern of a text of it, whose numbers may be others. */
type Existence = { input: OpenedInput; said: string; detail: string };

const maxInputs = 300;
const maxSaid = 20;

const outside = (path: string): string => `${'../'.repeat(10)}${path}`;
/** Files that every Unix has. Source: hosts(5), passwd(5). */
const present = ['etc/hosts', 'etc/passwd'].map(outside);
/** Names of the same letters that lead nowhere. */
const absent = ['hosts/etc', 'passwd/etc', 'etc/tsohs'].map(outside);

/** A value names a file outside of the folder that is meant, and the page says whether there is one. Source: CWE-22, CWE-204. */
export const fileExistence = defineCheck<Looked<Existence>>({
  id: 'injection.file-existence',
  title: 'Path traversal (file existence)',
  cwe: 22,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 5,

  async detect(context) {
    const inputs = inputsToProbe(context.surface);
    if (inputs.length === 0) return notApplicable('No page takes a value that may be changed.');
    return lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessDataOnly(context, (input) => look(context, input)),
    );
  },

  confirm: (_context, candidate) => experimentAt(candidate, experimentFor),

  explain: {
    description:
      'The value becomes part of the path of a file, and steps out of the folder that is meant ("../") are followed. The page does not show the file, but says of files outside of the folder what it says of its own when they exist, and something else when they do not.',
    impact:
      'Everybody can ask which files the server has: which programs and versions are installed, which accounts have a home, where keys and backups lie. Where the file is used otherwise than shown (deleted, mailed, converted), files of the server are.',
    sends:
      'Sends inputs whose value is the name of a file, and may be spelt with "./" in front, five paths from `/`: `etc/hosts`, `etc/passwd`, and names of the same letters that lead nowhere.',
    proves:
      'Two files that every Unix has are answered as the site’s own file is, and three paths of the same letters that lead nowhere are not, each time. An attacker learns which files there are.',
    remedy:
      'Take a key and look the file up in a list, or accept a bare name only. Where a path is needed, resolve it first and compare afterwards: `const path = resolve(root, name); if (!path.startsWith(root + sep)) return notFound();` (Node), `realpath` and `str_starts_with` (PHP), `Path.resolve().is_relative_to(root)` (Python), `root.resolve(name).normalize().startsWith(root)` (Java).',
    references: [
      'CWE-22: https://cwe.mitre.org/data/definitions/22.html',
      'CWE-204: https://cwe.mitre.org/data/definitions/204.html',
      'OWASP on path traversal: https://owasp.org/www-community/attacks/Path_Traversal',
    ],
  },
});

async function look(context: CheckContext, input: OpenedInput): Promise<Existence | undefined> {
  if (!isPathLike(input.sample) || (await takenAs(context, input)) !== 'path') return undefined;
  const ask = askerOf(context, input);
  const { status, text } = await ask(input.sample);
  if (status >= 400) return undefined;
  let said = piecesOf(text)
    .filter((piece) => /\p{L}{3}/u.test(piece) && !piece.includes(input.sample))
    .map(patternOf);
  const keep = async (value: string, isThere: boolean): Promise<boolean> => {
    const answer = await ask(value);
    // Whoever can read it is not interested in whether it is there.
    if (unixFiles.some(({ pattern }) => firstMatch(pattern, answer.text) !== undefined)) return false;
    said = said.filter((pattern) => (firstMatch(pattern, answer.text) !== undefined) === isThere).slice(0, maxSaid);
    return said.length > 0;
  };
  for (const [value, isThere] of [
    ...absent.map((path) => [path, false] as const),
    ...present.map((path) => [path, true] as const),
  ])
    if (!(await keep(value, isThere))) return undefined;
  const [pattern = ''] = said;
  return { input, said: pattern, detail: 'The page says of files outside of the folder whether they exist.' };
}

/** Sizes and times of files differ. */
const patternOf = (piece: string): string =>
  piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\d+(?:[.,]\d+)*|\d+(?:\\\.\d+)*/g, '[\\d.,]+');

function experimentFor({ input, said }: Existence): Experiment {
  const step = (value: string, note: string, operator: 'matches' | 'not-matches'): Step[] =>
    inputSteps(input, inputAction(input, value), { note, expect: [claim('body', operator, said)] });
  const own = step(input.sample, 'Of its own file the page says this.', 'matches');
  const [lost = '', ...others] = absent;
  return {
    steps: [
      ...own,
      ...present.flatMap((path) => step(path, 'It says the same of a file outside of the folder,', 'matches')),
      ...others.flatMap((path) => step(path, 'and not of one that is not there.', 'not-matches')),
    ],
    control: [...own, ...step(lost, 'The same names in an order that leads nowhere: no file is there.', 'matches')],
  };
}
