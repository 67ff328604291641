import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { ArchiveEntry } from '../../proof/archives.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, openInput } from '../inputs/open-input.ts';
import { acts } from './acting-files.ts';
import { anew, archiveFile, archiveForms, fileWord, innerFolder, textFile } from './archive-forms.ts';
import { contextOf } from './plant.ts';
import { read } from './stored-reads.ts';
import { archivesTaken, isUnpacked, partOfLink, sendArchive, type Unpacked } from './unpacked-places.ts';
import { type ActiveFile, filesFor } from './upload-files.ts';
import { sending } from './upload-forms.ts';

/** A file of code, and its path beside the text file of the archive. */
type CodeFile = { active: ActiveFile; path: string };

type RunFile = Unpacked & CodeFile;

/** A file of an archive is run by the server, or opened as a page of the site. Source: CWE-434, WSTG-BUSL-09. */
export const archiveCode = defineCheck<RunFile>({
  id: 'injection.archive-code',
  title: 'Unrestricted file upload in an archive (the file is run)',
  cwe: 434,
  owasp: 'A06:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'deep',
  risk: 'caution',
  cost: 15,

  async detect(context) {
    if (context.writes !== 'create')
      return notApplicable('Files that are sent stay, which only a scope with "writes": "create" allows.');
    if (archiveForms(context).length === 0) return notApplicable('No form takes an archive.');
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    const found = [];
    for (const unpacked of (await archivesTaken(context)).filter(isUnpacked)) {
      const acting = await firstActing(context, unpacked);
      if (acting) found.push(candidateFor({ ...unpacked, ...acting }));
    }
    return found;
  },

  async confirm(context, { data }) {
    return data && experimentFor(data, await openInput(contextOf(context, data.identity), data.input));
  },

  explain: {
    description:
      'The form takes an archive and unpacks what is in it where it can be asked for, whatever kinds of files that are: one of ours was run by the server, or opened as a page of the site whose script the browser ran.',
    impact:
      'Where the server runs the file, whoever may send an archive runs any code with the rights of the application. Where it is opened as a page, its script acts as whoever is led there.',
    sends:
      'With `writes: "create"`, sends each form that takes an archive two with small text files, and up to 4 with files that print a product of two random numbers (PHP, JSP) or open a dialog (HTML, SVG); 4 more for the proof. They stay, recorded before they are sent.',
    proves:
      'The address of a file of the archive gives the product, or a real browser that opens it runs its script; the same file with the code misspelt, or without the call, does not. The server ran code of ours, or a page of ours acts as the site.',
    remedy:
      'Look at each file of an archive as at one that is sent alone, in every folder of it: take the kinds that are needed by a list, give them names and one folder of your own, and unpack them outside of what the web server runs.',
    references: [
      'CWE-434: https://cwe.mitre.org/data/definitions/434.html',
      'OWASP File Upload Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
      'WSTG-BUSL-09: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/09-Test_Upload_of_Malicious_Files',
    ],
  },
});

/** Archives with one file of code each, where one with all of them is refused. */
const maxAlone = 3;

/** The text file shows that the archive was unpacked, and where. */
const entriesWith = ({ entry }: Unpacked, files: readonly { path: string; content: string }[]): ArchiveEntry[] => [
  { name: entry, content: fileWord },
  ...files.map(({ path, content }) => ({ name: entry.slice(0, -textFile.length) + path, content })),
];

/** Beside the text file, and in a folder, where a site may not look. */
const placed = (active: ActiveFile): CodeFile[] =>
  ['', `${innerFolder}/`].map((folder) => ({ active, path: folder + active.file.name }));

/** The first file that does something: of an archive with all of them, or of one with few. @throws ProbeError */
async function firstActing(context: CheckContext, unpacked: Unpacked): Promise<CodeFile | undefined> {
  if (!unpacked.url.endsWith(unpacked.entry)) return undefined;
  const named = new Map<string, ActiveFile>();
  for (const active of filesFor(context.surfaces[unpacked.identity] ?? context.surface))
    if (!named.has(active.file.name)) named.set(active.file.name, active);
  const files = [...named.values()];
  const all = await actingOf(context, unpacked, files.flatMap(placed));
  if (all !== 'refused') return all;
  for (const active of likeliest(context, files, maxAlone, 'files of code, each in an archive of its own,')) {
    const alone = await actingOf(context, unpacked, placed(active));
    if (alone !== 'refused' && alone) return alone;
  }
  return undefined;
}

/** @returns "refused" where the archive is not unpacked */
function actingOf(
  context: CheckContext,
  unpacked: Unpacked,
  files: readonly CodeFile[],
): Promise<CodeFile | 'refused' | undefined> {
  const { viewer } = unpacked;
  const entries = entriesWith(
    unpacked,
    files.map(({ active, path }) => ({ path, content: active.file.content })),
  );
  return sendArchive(context, unpacked, entries, async (put, answer) => {
    const folder = await folderOf(context, unpacked, put, answer);
    const text = folder === undefined ? undefined : await read(context, viewer, folder + put(textFile));
    if (!text?.text.includes(put(fileWord))) return 'refused';
    for (const file of files) {
      const url = folder + put(file.path);
      const kept = await read(context, viewer, url);
      if (kept?.status === 200 && (await acts(context, file.active, { url, viewer, answer: kept }, put))) return file;
    }
    return undefined;
  });
}

/** Address of the folder in which the text file is. */
async function folderOf(
  context: CheckContext,
  unpacked: Unpacked,
  put: (text: string) => string,
  answer: Exchange,
): Promise<string | undefined> {
  const { namedInAnswer: named, linkedOn, url, identity } = unpacked;
  if (named) {
    const name = firstMatch(named.pattern, answer.text)?.groups[0];
    return name === undefined ? undefined : put(named.before + name + folderBehind(unpacked));
  }
  if (!linkedOn) return put(url.slice(0, -textFile.length));
  const page = await read(context, identity, linkedOn.url);
  const folder = page && firstMatch(put(folderPattern), page.text)?.groups[0];
  return folder === undefined ? undefined : linkedOn.before + folder;
}

const folderPattern = `(${partOfLink})${escapePattern(textFile)}`;
const folderBehind = ({ namedInAnswer, entry }: Unpacked): string =>
  (namedInAnswer?.after ?? '') + entry.slice(0, -textFile.length);

function candidateFor(run: RunFile) {
  const { input, identity, needs, active } = run;
  const who = identity === '' ? 'Anybody sends it' : `The test identity "${identity}" sends it`;
  return {
    location: { url: input.url, method: 'POST', parameter: input.parameter, parameterIn: 'body' as const },
    route: input.route,
    detail: `${active.detail} It is in an archive that is unpacked. ${who}.`,
    cvss:
      active.effect === 'opens'
        ? `CVSS:3.1/AV:N/AC:L/PR:${needs}/UI:R/S:C/C:L/I:L/A:N`
        : `CVSS:3.1/AV:N/AC:L/PR:${needs}/UI:N/S:U/C:H/I:H/A:H`,
    data: run,
  };
}

function experimentFor(run: RunFile, input: OpenedInput): Experiment {
  const { active, path, identity, viewer, namedInAnswer: named, linkedOn } = run;
  const sender = identity === '' ? {} : { identity };
  const folder = named
    ? `${named.before}‹folder›${folderBehind(run)}`
    : linkedOn
      ? `${linkedOn.before}‹folder›`
      : run.url.slice(0, -textFile.length);
  const inAnswer = named && { capture: [{ name: 'folder', subject: 'body' as const, pattern: named.pattern }] };
  const onPage: Step[] =
    !named && linkedOn
      ? [
          {
            ...{ http: { url: linkedOn.url }, ...sender, note: 'The page names the text file in its folder.' },
            expect: [claim('status', 'equals', '200')],
            capture: [{ name: 'folder', subject: 'body', pattern: folderPattern }],
          },
        ]
      : [];
  const shown: Step['expect'] =
    active.effect === 'opens'
      ? [claim('browser:dialogs', 'matches', '(?m)^‹nonce›$')]
      : [claim('body', 'contains', active.effect.runs)];
  const look = (note: string): Step => {
    const [url, as] = [folder + path, viewer === '' ? {} : { identity: viewer }];
    return active.effect === 'opens'
      ? { browser: { url }, ...as, note, expect: shown }
      : { http: { url }, ...as, note, expect: shown };
  };
  const sent = ({ content }: ActiveFile['file'], to: OpenedInput, note: string, put: <T>(value: T) => T): Step[] => [
    ...inputSteps(to, sending(run, to, put(archiveFile(put(run), put(entriesWith(run, [{ path, content }]))))), {
      note,
      expect: [],
      ...inAnswer,
    }).map((step) => ({ ...step, ...sender })),
    ...put(onPage),
    put({
      ...{ http: { url: folder + textFile }, ...(viewer === '' ? {} : { identity: viewer }) },
      note: 'The text file beside it is there: the archive was unpacked.',
      expect: [claim('body', 'contains', fileWord)],
    } satisfies Step),
  ];
  return {
    steps: [
      ...sent(active.file, input, 'An archive with a file of code in it.', (value) => value),
      look(
        active.effect === 'opens'
          ? 'A browser that opens the file runs its script on the site.'
          : 'The address of the file gives what only its code can have calculated.',
      ),
    ],
    control: [
      ...sent(active.inert, anew(input), 'The same without what makes the file do something.', anew),
      anew(look('It does nothing: the code in the file was the cause.')),
    ],
  };
}
