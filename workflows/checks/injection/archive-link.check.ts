import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import type { KnownFile } from '../files/traversal-payloads.ts';
import type { OpenedInput, UploadedFile } from '../inputs/input-request.ts';
import { inputSteps, openInput } from '../inputs/open-input.ts';
import { anew, archiveFile, archiveForms } from './archive-forms.ts';
import { contextOf } from './plant.ts';
import { read } from './stored-reads.ts';
import { archivesTaken, isUnpacked, sendArchive, type Unpacked } from './unpacked-places.ts';
import { sending } from './upload-forms.ts';

/** @property isElsewhere the page that named the file before names the link in another folder */
type Followed = Unpacked & { file: KnownFile; isElsewhere?: boolean };

/** What is unpacked later could be written through a link: of this file no system depends. Source: os-release(5). */
const release: KnownFile = {
  path: 'etc/os-release',
  nowhere: 'os-release/etc',
  pattern: '\\bPRETTY_NAME=(?:"|&quot;|&#(?:34|x22);|\\\\")?[\\w ./()-]{2,80}',
};

/** A link in an archive is kept as a link, and what it leads to is shown. Source: CWE-59, CWE-61. */
export const archiveLink = defineCheck<Followed>({
  id: 'injection.archive-link',
  title: 'Symbolic link in an archive (files of the server can be read)',
  cwe: 61,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'caution',
  cost: 15,

  async detect(context) {
    if (context.writes !== 'create')
      return notApplicable('Files that are sent stay, which only a scope with "writes": "create" allows.');
    if (archiveForms(context).length === 0) return notApplicable('No form takes an archive.');
    const found = [];
    for (const unpacked of (await archivesTaken(context)).filter(isUnpacked)) {
      const shown = await shownThrough(context, unpacked);
      if (shown) found.push(candidateFor({ ...unpacked, ...shown }));
    }
    return found;
  },

  async confirm(context, { data }) {
    return data && experimentFor(data, await openInput(contextOf(context, data.identity), data.input));
  },

  explain: {
    description:
      'The form takes an archive and unpacks it with the symbolic links that are in it. A link that leads to a file of the server is kept as one, and the site shows what it leads to.',
    impact:
      'Whoever may send an archive reads what the account of the application can: source code, settings with passwords and keys. A link to a folder, with a file behind it, mostly lets files be written there as well.',
    sends:
      'With `writes: "create"`, sends each form that takes an archive one with a small text file (and what the site says is missing), and one with a link to `/etc/os-release`; 4 more for the proof. They may stay, recorded before they are sent.',
    proves:
      'At the address of the link the site shows what has the form of that system file; a link to a path of no file shows nothing of it. An attacker reads files of the server.',
    remedy:
      'Unpack files and folders only: `tarfile.extractall(path, filter="data")` (Python), skip entries whose type is a link (Node, Java, Go), `tar --no-same-owner` in a container of its own. When files are shown, resolve links first (`realpath`) and compare with the folder.',
    references: [
      'CWE-61: https://cwe.mitre.org/data/definitions/61.html',
      'OWASP File Upload Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
      'PEP 706, filters for tarfile.extractall: https://peps.python.org/pep-0706/',
    ],
  },
});

const linkTo = (entry: string, path: string) => ({ name: entry, content: `/${path}`, isLink: true as const });

async function shownThrough(
  context: CheckContext,
  unpacked: Unpacked,
): Promise<Pick<Followed, 'file' | 'isElsewhere'> | undefined> {
  const file = release;
  const { entry, url, identity, viewer, linkedOn } = unpacked;
  return sendArchive(context, unpacked, [linkTo(entry, file.path)], async (put) => {
    const isAt = async (address: string) => {
      const answer = await contextOf(context, viewer).http.get(address, { fresh: true });
      return firstMatch(file.pattern, answer.text) !== undefined;
    };
    if (await isAt(put(url))) return { file };
    const page = linkedOn && (await read(context, identity, linkedOn.url));
    const link = page && firstMatch(put(linkedOn.pattern), page.text)?.groups[0];
    return link !== undefined && (await isAt(linkedOn?.before + link)) ? { file, isElsewhere: true } : undefined;
  });
}

function candidateFor(followed: Followed) {
  const { input, identity, needs, file } = followed;
  const who = identity === '' ? 'Anybody sends it' : `The test identity "${identity}" sends it`;
  return {
    location: { url: input.url, method: 'POST', parameter: input.parameter, parameterIn: 'body' as const },
    route: input.route,
    detail: `An archive has a link to /${file.path}, and the site shows that file. ${who}.`,
    cvss: `CVSS:3.1/AV:N/AC:L/PR:${needs}/UI:N/S:U/C:H/I:N/A:N`,
    data: followed,
  };
}

function experimentFor(followed: Followed, input: OpenedInput): Experiment {
  const { file, entry, identity, viewer, isElsewhere } = followed;
  const linkedOn = isElsewhere ? followed.linkedOn : undefined;
  const url = linkedOn ? `${linkedOn.before}‹folder›` : followed.url;
  const sender = identity === '' ? {} : { identity };
  const send = (to: OpenedInput, archive: UploadedFile, note: string): Step[] =>
    inputSteps(to, sending(followed, to, archive), { note, expect: [] }).map((step) => ({
      ...step,
      ...sender,
    }));
  const find = (pattern: string): Step[] =>
    linkedOn
      ? [
          {
            ...{ http: { url: linkedOn.url }, ...sender, note: 'The page names the file in a folder of its own.' },
            expect: [claim('status', 'equals', '200')],
            capture: [{ name: 'folder', subject: 'body', pattern }],
          },
        ]
      : [];
  const look = (shownAt: string, note: string): Step => ({
    ...{ http: { url: shownAt }, note },
    ...(viewer === '' ? {} : { identity: viewer }),
    expect: [claim('body', 'matches', file.pattern, 'It has the form of the file.')],
  });
  return {
    steps: [
      ...send(
        input,
        archiveFile(followed, [linkTo(entry, file.path)]),
        'An archive with a link to a file of the server.',
      ),
      ...find(linkedOn?.pattern ?? ''),
      look(url, 'The address of the link shows that file.'),
    ],
    control: [
      ...send(
        anew(input),
        anew(archiveFile(anew(followed), [linkTo(anew(entry), file.nowhere)])),
        'An archive with a link to a path of no file.',
      ),
      ...find(anew(linkedOn?.pattern ?? '')),
      look(anew(url), 'The address of the link shows nothing of the kind.'),
    ],
  };
}
