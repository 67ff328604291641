import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { ArchiveEntry } from '../../proof/archives.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { OpenedInput, UploadedFile } from '../inputs/input-request.ts';
import { inputSteps, openInput } from '../inputs/open-input.ts';
import { assetFolders } from '../pages/asset-folders.ts';
import {
  type ArchiveForm,
  anew,
  archiveFile,
  archiveForms,
  archiveName,
  fileWord,
  neededFile,
  textFile,
} from './archive-forms.ts';
import { contextOf } from './plant.ts';
import { archivesTaken, isUnpacked, sendArchive, type Unpacked } from './unpacked-places.ts';
import { sending } from './upload-forms.ts';

/** A name that leads out of the folder that an archive is unpacked to, and the address at which its file is shown then. */
type WayOut = {
  form: ArchiveForm;
  entry: ArchiveEntry;
  /** The same file by way of a folder that is inside. */
  inert: ArchiveEntry;
  url: string;
  viewer: string;
  detail: string;
};

/** An archive's file whose name leads out of its folder is written there. Source: CWE-22, Snyk "Zip Slip" (2018). */
export const zipSlip = defineCheck<WayOut>({
  id: 'injection.zip-slip',
  title: 'Path traversal in an archive (Zip Slip)',
  cwe: 22,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 20,

  async detect(context) {
    if (context.writes !== 'create')
      return notApplicable('Files that are sent stay, which only a scope with "writes": "create" allows.');
    if (archiveForms(context).length === 0) return notApplicable('No form takes an archive.');
    const found = [];
    for (const form of await archivesTaken(context)) {
      const ways = isUnpacked(form) ? waysFrom(form) : [];
      const way = (await firstOut(context, ways)) ?? (await firstOut(context, await waysToAssets(context, form)));
      if (way) found.push(candidateFor(way));
    }
    return found;
  },

  async confirm(context, { data }) {
    return data && experimentFor(data, await openInput(contextOf(context, data.form.identity), data.form.input));
  },

  explain: {
    description:
      'The form takes an archive and unpacks it by the names that stand in it: a name with ".." in it leads out of the folder that it is unpacked to, and the file is written there.',
    impact:
      'Whoever may send an archive writes files to any folder that the application may write to: a script where the web server runs it, a template, a key, or a configuration. That is mostly the same as running code.',
    sends:
      'With `writes: "create"`, sends each form that takes an archive one with a small text file and what the site says is missing, and up to two with files named into the folders above, beside and of its styles; 4 more for the proof. They may stay, recorded before they are sent.',
    proves:
      'A file named "../<word>.txt", or into another folder by way of "..", is found at that folder’s address, and one named "<another folder>/<word>.txt" is not: files are written outside. That one of them would be run was not tried.',
    remedy:
      'Resolve each name before writing and refuse what is not below the folder: `if (!path.resolve(folder, name).startsWith(folder + path.sep)) throw …` (Node), `ZipFile.extractall` instead of own loops (Python), `target.normalize().startsWith(folder)` (Java). Or give files names of your own. Refuse links in archives as well.',
    references: [
      'CWE-22: https://cwe.mitre.org/data/definitions/22.html',
      'OWASP File Upload Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
      'Zip Slip: https://security.snyk.io/research/zip-slip-vulnerability',
    ],
  },
});

/** Out of the folder in which a file was found: to the one above, and to one beside it that is called as no archive is. */
function waysFrom({ entry: name, url, viewer, ...form }: Unpacked): WayOut[] {
  const way = (folder: string, shownAt: string, where: string): WayOut => ({
    ...{
      form,
      viewer,
      url: shownAt,
      entry: fileFor(`${folder}${name}`),
      inert: fileFor(`‹nonce7›/${folder.slice(3)}${name}`),
    },
    detail: `A file of an archive whose name leads out of its folder was found ${where}.`,
  });
  const folder = url.slice(0, -name.length);
  const above = url.endsWith(`/${name}`) ? new URL('..', folder).href : folder;
  return [
    ...(above === folder ? [] : [way('../', above + name, `at ${above.replaceAll(archiveName, '…')}`)]),
    ...(url.includes(archiveName)
      ? [way(`../${beside}/`, url.replaceAll(archiveName, beside), 'where those of another archive would be')]
      : []),
  ];
}

const beside = '‹nonce6›';
const fileFor = (path: string): ArchiveEntry => ({ ...neededFile(path, fileWord), name: path });

const usualFolders = ['static', 'public'];
const maxFolders = 3;

/** To the folders that the site's pictures and styles lie in, which stand beside that of archives, or one further up. */
async function waysToAssets(context: CheckContext, form: ArchiveForm): Promise<WayOut[]> {
  const folders = [...new Set((await assetFolders(context)).filter((url) => url.endsWith('/')))].slice(0, maxFolders);
  return folders.flatMap((folder) => {
    const own = /\/([\w-]+)\/$/.exec(new URL(folder).pathname)?.[1];
    return [...new Set([...(own === undefined ? [] : [own]), ...usualFolders])].flatMap((name) =>
      ['../', '../../'].map((up) => ({
        ...{ form, viewer: '', url: folder + textFile },
        entry: fileFor(`${up}${name}/${textFile}`),
        inert: fileFor(`‹nonce7›/${name}/${textFile}`),
        detail: `A file of an archive whose name leads out of its folder was found at ${folder}.`,
      })),
    );
  });
}

/** All names are tried with one archive, then halves of them, until one is left that leads somewhere. */
async function firstOut(context: CheckContext, ways: readonly WayOut[]): Promise<WayOut | undefined> {
  let names = [...Map.groupBy(ways, ({ entry }) => entry.name).values()];
  let way = await seenOut(context, names.flat());
  while (way && names.length > 1) {
    const half = names.slice(0, Math.ceil(names.length / 2));
    const isInHalf = (await seenOut(context, half.flat())) !== undefined;
    names = isInHalf ? half : names.slice(half.length);
    if (names.length === 1) way = await seenOut(context, names.flat());
  }
  return way;
}

/** The first way at whose address the file of one of the names is found. */
async function seenOut(context: CheckContext, ways: readonly WayOut[]): Promise<WayOut | undefined> {
  const [first] = ways;
  const entries = [...new Map(ways.map(({ entry }) => [entry.name, entry])).values()];
  return (
    first &&
    sendArchive(context, first.form, entries, async (put) => {
      const asked = new Set<string>();
      for (const way of ways) {
        if (asked.has(way.url)) continue;
        asked.add(way.url);
        const { status, text } = await contextOf(context, way.viewer).http.get(put(way.url), { fresh: true });
        if (status === 200 && text.includes(put(fileWord))) return way;
      }
      return undefined;
    })
  );
}

function candidateFor(way: WayOut) {
  const {
    form: { input, identity, needs },
    detail,
  } = way;
  const who = identity === '' ? 'Anybody sends it' : `The test identity "${identity}" sends it`;
  return {
    location: { url: input.url, method: 'POST', parameter: input.parameter, parameterIn: 'body' as const },
    route: input.route,
    detail: `${detail} ${who}.`,
    cvss: `CVSS:3.1/AV:N/AC:L/PR:${needs}/UI:N/S:U/C:N/I:H/A:N`,
    data: way,
  };
}

function experimentFor({ form, entry, inert, url, viewer }: WayOut, input: OpenedInput): Experiment {
  const { identity } = form;
  const send = (to: OpenedInput, file: UploadedFile, note: string): Step[] =>
    inputSteps(to, sending(form, to, file), { note, expect: [] }).map((step) => ({
      ...step,
      ...(identity === '' ? {} : { identity }),
    }));
  const look = (shownAt: string, shown: string, note: string): Step => ({
    ...{ http: { url: shownAt }, note },
    ...(viewer === '' ? {} : { identity: viewer }),
    expect: [claim('status', 'equals', '200'), claim('body', 'contains', shown)],
  });
  return {
    steps: [
      ...send(input, archiveFile(form, [entry]), 'An archive whose file is named by way of a folder outside.'),
      look(url, fileWord, 'The file is outside of the folder that archives are unpacked to.'),
    ],
    control: [
      ...send(
        anew(input),
        anew(archiveFile(anew(form), [anew(inert)])),
        'An archive whose file is named by way of a folder inside.',
      ),
      look(anew(url), anew(fileWord), 'The file is not outside: that is not where all files go.'),
    ],
  };
}
