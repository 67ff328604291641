import { percentDecodedOrSame } from '../../../kit/percent.ts';
import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { InputSurface } from '../../model/surface.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { newTrialValues } from '../../proof/template.ts';
import { mayBeFetched } from '../addresses/loopback-addresses.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { fileReadingOf } from '../files/file-reading.ts';
import {
  fileAddresses,
  fileError,
  folderSpellings,
  furtherSpellings,
  isPathLike,
  type KnownFile,
  namesFile,
  namesFolder,
  pathSpellings,
  plainSpellings,
  type Spelling,
  spellingsPastPrefix,
  unixFiles,
} from '../files/traversal-payloads.ts';
import { atMost } from '../inputs/at-most.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputUrl } from '../inputs/input-url.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { assetFolders } from '../pages/asset-folders.ts';
import { isPrivileged } from '../sessions/roles.ts';
import { unlessDataOnly } from './data-only.ts';
import { isReader } from './file-readers.ts';
import { unlessIncluded } from './included-input.ts';
import { lookAtEach } from './look-at-each.ts';
import { takenAs } from './path-values.ts';
import { foldersOfServer, spellingsOfServer } from './server-traversal.ts';
import { makesNoDifference } from './unparsable.ts';
import { mayBeWritten, unwritableFile } from './written-files.ts';

type ReadableFile = { input: OpenedInput; spelling: Spelling; file: KnownFile; detail: string; cvss?: string };

const maxInputs = 300;
const maxFolders = 6;

/** A value names a file outside of the folder that is meant, and its content comes back. Source: CWE-22, WSTG-ATHZ-01. */
export const pathTraversal = defineCheck<ReadableFile>({
  id: 'injection.path-traversal',
  title: 'Path traversal',
  cwe: 22,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 20,

  async detect(context) {
    // Folders of files are the same whoever asks.
    const folders = context.visitor === undefined ? foldersOf(context, await assetFolders(context)) : [];
    const inputs = [...folders, ...inputsToProbe(context.surface)];
    if (inputs.length === 0) return notApplicable('No page takes a value, and no folder was seen.');
    return lookAtEach(
      context,
      inputs,
      maxInputs,
      unlessDataOnly(context, (input) => look(context, input)),
    );
  },

  confirm: (context, candidate) => unlessIncluded(context, candidate, experimentFor),

  gives: {
    kinds: ['file-reading'],
    facts: ({ data }) => (data && !data.file.isFolder ? fileReadingOf(data.input, data.spelling) : []),
  },

  explain: {
    description:
      'The value becomes part of the path of a file, and steps out of the folder that is meant ("../") or an absolute path are followed. A file that every system has was read in this way, or its folder listed; the same names in an order that is no path give nothing.',
    impact:
      'Everybody can read what the server’s account can: source code, settings with passwords and keys, logs, the list of accounts. With a key for sessions or a password for the database the rest follows.',
    sends:
      'Sends paths to `/etc/passwd`, `/etc/group` or `win.ini` (`/proc/version` where the file may be written to) in each input and behind up to 6 folders, in two to twenty spellings, and lists `/etc` where a folder is named; PHP’s stream filter is asked for the page’s own script.',
    proves:
      'The answer has the form of that system file, or is source code of the page’s script, which the site’s own value does not show; a path of no file does not. An attacker reads files of the server.',
    remedy:
      'Take a key and look the file up in a list, or accept a bare name only. Where a path is needed, resolve it first and compare afterwards: `const path = resolve(root, name); if (!path.startsWith(root + sep)) return notFound();` (Node), `realpath($root . "/" . $name)` and `str_starts_with` (PHP), `Path.resolve().is_relative_to(root)` (Python), `root.resolve(name).normalize().startsWith(root)` (Java). Removing "../" from the value is no remedy. nginx: end both `location /files/` and its `alias` with a slash. Give the account of the server no right to read what it does not need.',
    references: [
      'CWE-22: https://cwe.mitre.org/data/definitions/22.html',
      'WSTG-ATHZ-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/01-Testing_Directory_Traversal_File_Include',
      'OWASP on path traversal: https://owasp.org/www-community/attacks/Path_Traversal',
    ],
  },
});

/** Folders that files are served from: the path behind them is an input too. */
function foldersOf(context: CheckContext, assets: readonly string[]): InputSurface[] {
  const { pages, origins, skipped } = context.surface;
  const [origin] = origins.filter(({ redirectsTo, origin: own }) => !redirectsTo || redirectsTo.startsWith(`${own}/`));
  if (!origin) return [];
  const seen = pages.flatMap(({ url, scripts }) => [url, ...scripts.flatMap((script) => script.url ?? [])]);
  const isOwn = (url: string) => URL.canParse(url) && new URL(url).origin === origin.origin;
  const files = [...seen, ...skipped.map(({ url }) => url)].filter(isOwn);
  const folders = files.flatMap((url) => /^\/[\w.-]+\/(?=.*\.\w{1,5}$)/.exec(new URL(url).pathname)?.[0] ?? []);
  const shown = assets.filter(isOwn).flatMap((url) => /^\/[\w.-]+\/$/.exec(new URL(url).pathname)?.[0] ?? []);
  return atMost(
    context,
    [...new Set(['/', ...foldersOfServer(origin.headers), ...folders, ...shown])],
    maxFolders,
    'folders',
  ).map((folder) => ({
    method: 'GET',
    url: `${origin.origin}${folder}x`,
    route: `${folder}{path}`,
    parameter: String(folder.split('/').length - 1),
    in: 'path',
    sample: '',
    others: [],
  }));
}

const isFolder = (input: InputSurface): boolean => input.in === 'path' && input.route.endsWith('{path}');

/** What does not look as if it named a file, makes no path of its value and says nothing of a file is sent two paths only. */
async function look(context: CheckContext, input: OpenedInput): Promise<ReadableFile | undefined> {
  const send = (value: HttpAction) => sendInput(context, input, value, newTrialValues(context.nonce));
  const ask = async (value: HttpAction) => (await send(value)).text;
  const isNamed = !isFolder(input) && namesFile(input.in === 'path' ? '' : input.parameter, input.sample);
  const isOfSomebody = /^(?:user_?)?name$/i.test(input.parameter);
  const mayBeFile = isFolder(input) || (isNamed && !isOfSomebody) || isPathLike(input.sample) || mayBeFetched(input);
  if (!mayBeFile && (await makesNoDifference(context, input))) return undefined;
  const own = await send(inputAction(input, input.sample));
  if (leadsTo(own, input.sample)) return undefined;
  const base = own.text;
  const shows = (text: string, pattern: string) => firstMatch(pattern, text) !== undefined;
  // What a page shows anyway proves nothing, so another file is asked for.
  const isWritten = mayBeWritten(input, base) || !(await isReader(context, input));
  const unix = isWritten ? unwritableFile : unixFiles.find(({ pattern }) => !shows(base, pattern));
  let last = '';
  const readBy = async (spellings: readonly Spelling[]): Promise<ReadableFile | undefined> => {
    for (const spelling of spellings) {
      const file = spelling.file ?? unix;
      if (isWritten && spelling.file) continue;
      if (!file || shows(base, file.pattern)) continue;
      last = await ask(actionFor(input, spelling, file.path));
      if (shows(last, file.pattern)) return foundAt(input, spelling, file);
    }
    return undefined;
  };
  const first = await readBy(isFolder(input) ? pathSpellings : plainSpellings);
  if (first) return first;
  const listed = !isFolder(input) && namesFolder(input.parameter) ? await readBy(folderSpellings) : undefined;
  if (listed) return listed;
  const saysFile = !isFolder(input) && shows(last, fileError) && !shows(base, fileError);
  const mayRespell = isPathLike(input.sample) || !keepsNames(context);
  const taken = isFolder(input) || saysFile ? 'path' : mayRespell ? await takenAs(context, input) : 'unclear';
  if (!isFolder(input) && (taken === 'path' || isNamed)) {
    const isPath = taken === 'path' || (taken === 'unclear' && isPathLike(input.sample));
    const further = await readBy((isPath ? furtherSpellings : spellingsPastPrefix)(input.sample, input.route));
    if (further) return further;
  } else if (!isFolder(input) && mayBeFetched(input)) {
    const opened = await readBy(fileAddresses('.png'));
    if (opened) return opened;
  }
  const isInAddress = input.in === 'query' || input.in === 'path';
  const { origin } = new URL(input.url);
  const { headers = [] } = context.surface.origins.find((known) => known.origin === origin) ?? {};
  return isInAddress && (isFolder(input) || isNamed) ? readBy(spellingsOfServer(headers)) : undefined;
}

/** The value is where the answer leads: nothing of a file would be shown. */
const leadsTo = ({ status, header }: Exchange, value: string): boolean =>
  value !== '' && status >= 300 && status < 400 && percentDecodedOrSame(header('location') ?? '').includes(value);

/** Pages of an administration keep settings of what they are asked for, a theme or a module, under the name that it is asked for by. */
const keepsNames = ({ identities, visitor, writes }: CheckContext): boolean => {
  const identity = identities[visitor ?? ''];
  return writes !== 'create' && identity !== undefined && isPrivileged(identity);
};

function foundAt(input: OpenedInput, spelling: Spelling, file: KnownFile): ReadableFile {
  const { path, isScript, isFolder } = file;
  if (isFolder)
    return { input, spelling, file, detail: `The files of the folder /${path} were listed.`, cvss: ofNames };
  const detail = isScript ? `The source code of the script "${path}" was read.` : `The file /${path} was read.`;
  return { input, spelling, file, detail };
}

/** Names of files are told, and not what is in them. */
const ofNames = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N';

const actionFor = (input: OpenedInput, { spell, encoded }: Spelling, path: string): HttpAction =>
  encoded ? { url: inputUrl(input, spell(path)) } : inputAction(input, spell(path));

const experimentFor = ({ input, spelling, file }: ReadableFile): Experiment => {
  const said = file.isScript
    ? 'The answer holds PHP source code, in base64 or with its letters moved.'
    : file.isFolder
      ? `The answer lists files of /${file.path}.`
      : `The answer has the form of /${file.path}.`;
  const read = claim('body', 'matches', file.pattern, said);
  const step = (http: HttpAction, note: string, expect: Step['expect']): Step[] =>
    inputSteps(input, http, { note, expect });
  return {
    steps: [
      ...step(inputAction(input, input.sample), "With the site's own value the answer has nothing of the file.", [
        claim('body', 'not-matches', file.pattern),
      ]),
      ...step(
        actionFor(input, spelling, file.path),
        `With a value that leads out of what is meant ${file.isFolder ? 'the names of its files come' : 'the file comes'} back.`,
        [read],
      ),
    ],
    control: step(
      actionFor(input, spelling, file.nowhere),
      'The same with the path of no file gives nothing of the kind.',
      [read],
    ),
  };
};
