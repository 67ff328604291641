import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { isPathLike, unixFiles } from '../files/traversal-payloads.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { unlessDataOnly } from './data-only.ts';
import { commandAt } from './interpreters.ts';
import { lookAtEach } from './look-at-each.ts';
import { saidBesides } from './said-besides.ts';
import { type Ask, askerOf } from './sql-decision.ts';
import { makesNoDifference } from './unparsable.ts';
import { mayBeWritten, unwritableFile } from './written-files.ts';

/** A text that the page shows of files that are there and of no others, or the other way round: a pattern, whose numbers may be others. */
type Said = { pattern: string; ofPresent: boolean };
type Existence = { input: OpenedInput; said: Said; files: NamedFiles; detail: string };

const maxInputs = 300;

const outside = (path: string): string => `${'../'.repeat(10)}${path}`;
/** Two files that are there, and four names that lead nowhere. */
type NamedFiles = { present: readonly string[]; absent: readonly string[] };

/**
 * Files that every Unix has. A rule that knows such names does not know the second spelling. Source: hosts(5), passwd(5).
 * Names of the same letters lead nowhere, and so does one below a file, which has the whole name in it. None is in a folder that is
 * there: what writes to a file can make none of them.
 */
const usualFiles: NamedFiles = {
  present: ['etc/passwd', 'etc/./hosts'].map(outside),
  absent: ['passwd/etc', 'etc/passwd/‹nonce›', 'hosts/./etc', 'etc/./tsohs/‹nonce2›'].map(outside),
};
/** The same of files that nobody can write to (Linux). Source: proc(5). */
const unwritableFiles: NamedFiles = {
  present: ['proc/version', 'proc/./cpuinfo'].map(outside),
  absent: ['version/proc', 'proc/version/‹nonce›', 'cpuinfo/./proc', 'proc/./ofnicpu/‹nonce2›'].map(outside),
};

/** The same of folders, for what lists them. Source: hier(7). */
const usualFolders: NamedFiles = {
  present: ['etc', 'usr/./lib'].map(outside),
  absent: ['cte/etc', 'etc/passwd/‹nonce›', 'bil/./usr', 'usr/./bil/‹nonce2›'].map(outside),
};

const namesFolder = ({ parameter, sample }: OpenedInput): boolean =>
  /(?:^|[^a-z])(?:dir|director(?:y|ies)|folder|path|location)(?![a-z])|(?:Dir|Folder|Path)$/.test(parameter) &&
  !/\.\w{1,5}$/.test(sample);

/** A value names a file outside of the folder that is meant, and the page says whether there is one. Source: CWE-22, CWE-204. */
export const fileExistence = defineCheck<Existence>({
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

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The value becomes part of the path of a file, and steps out of the folder that is meant ("../") are followed. The page does not show the file, but says one thing of files outside of the folder that exist, and another of those that do not.',
    impact:
      'Everybody can ask which files the server has: which programs and versions are installed, which accounts have a home, where keys and backups lie. Where the file is used otherwise than shown (deleted, mailed, converted), files of the server are.',
    sends:
      'Sends inputs two paths from `/`: `etc/passwd`, and a name of the same letters that leads nowhere; where the page says something else of each, four more such. Where the file may be written to, two of `proc` that nobody can write to; where a folder is named, `etc` and `usr/lib`.',
    proves:
      'Two files that every Unix has are answered in the same words, and four paths of the same letters that lead nowhere, one of them below such a file, in others, each time. An attacker learns which files there are.',
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
  if (!isPathLike(input.sample) && (await makesNoDifference(context, input))) return undefined;
  const send = askerOf(context, input);
  // What says whether a file is there may be about to write to it, as a body says nothing of.
  const isWritten = input.in === 'body' || mayBeWritten(input, (await send(input.sample)).text);
  for (const files of [isWritten ? unwritableFiles : usualFiles, ...(namesFolder(input) ? [usualFolders] : [])]) {
    const said = await saidOf(send, files);
    if (!said) continue;
    // A command line names files for the programs that it runs.
    if (await commandAt(context, input)) return undefined;
    return { input, said, files, detail: 'The page says of files outside of the folder whether they exist.' };
  }
  return undefined;
}

/** What the page says of all that are there and of none that is not, or the other way round. */
async function saidOf(send: Ask, { present, absent }: NamedFiles): Promise<Said | undefined> {
  const ask = async (value: string) => {
    const { status, text } = await send(value);
    // Whoever can read it is not interested in whether it is there.
    const isRead = [...unixFiles, unwritableFile].some(({ pattern }) => firstMatch(pattern, text) !== undefined);
    return status >= 400 || isRead ? { text, isUsable: false } : { text, isUsable: true };
  };
  const [there, gone] = [await ask(present[0] ?? ''), await ask(absent[0] ?? '')];
  if (!there.isUsable) return undefined;
  let said = [
    ...saidBesides(there.text, gone.text).map((pattern) => ({ pattern, ofPresent: true })),
    ...saidBesides(gone.text, there.text).map((pattern) => ({ pattern, ofPresent: false })),
  ].filter(({ pattern }) => !namesShared(pattern, present));
  for (const [value, isThere] of [
    ...present.slice(1).map((path) => [path, true] as const),
    ...absent.slice(1).map((path) => [path, false] as const),
  ]) {
    if (said.length === 0) return undefined;
    const { text, isUsable } = await ask(value);
    if (isThere && !isUsable) return undefined;
    said = said.filter(
      ({ pattern, ofPresent }) => (firstMatch(pattern, text) !== undefined) === (ofPresent === isThere),
    );
  }
  return said[0];
}

/** Whether a text has a part that all of some paths have: a page that repeats a part of what it was asked says nothing of a file. */
function namesShared(text: string, [first = '', ...others]: readonly string[]): boolean {
  const parts = first.split('/').filter((part) => /^\w+$/.test(part));
  const shared = parts.filter((part) => others.every((path) => path.split('/').includes(part)));
  return shared.some((part) => text.split(/\W+/).includes(part));
}

function experimentFor({ input, files: { present, absent }, said: { pattern, ofPresent } }: Existence): Experiment {
  const step = (value: string, note: string, isThere: boolean): Step[] =>
    inputSteps(input, inputAction(input, value), {
      note,
      expect: [claim('body', isThere === ofPresent ? 'matches' : 'not-matches', pattern)],
    });
  const [lost = '', ...others] = absent;
  return {
    steps: [
      ...present.flatMap((path) => step(path, 'The page says this of a file outside of the folder,', true)),
      ...others.flatMap((path) => step(path, 'and something else of one that is not there.', false)),
    ],
    control: step(lost, 'The same names in an order that leads nowhere: no file is there.', true),
  };
}
