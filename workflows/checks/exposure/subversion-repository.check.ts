import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { subjectValue } from '../../proof/subjects.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { inParallel } from '../inputs/parallel.ts';
import { checkedOutFolders, siteRoots } from '../pages/folders.ts';
import { slight } from './paths/entry.ts';

/** URL of the ".svn/" folder, and how it keeps its files: in a database since version 1.7, in a text before. */
type WorkingCopy = { base: string; form: 'database' } | { base: string; form: 'entries'; file: string | undefined };

const maxFolders = 12;
const maxBodyBytes = 2 * 1024 * 1024;

/** Tables of the working copy's database. Source: Subversion, libsvn_wc/wc-metadata.sql. */
const tables = ['REPOSITORY', 'PRISTINE', 'NODES'] as const;
/** SHA-1 of a file's text, by which it is named below "pristine". */
const checksum = '\\$sha1\\$([0-9a-f]{2})[0-9a-f]{38}';
/** Format, an empty name, the kind, a revision, then the URL of the repository. Source: Subversion, libsvn_wc/README. */
const entriesPattern = '^(?:[89]|1[0-2])\\n\\ndir\\n\\d+\\n(?:https?|svn(?:\\+ssh)?|file)://';

/** The working copy that a site was deployed as can be fetched from it. Source: WSTG-CONF-04, CWE-527. */
export const subversionRepository = defineCheck<WorkingCopy>({
  id: 'exposure.subversion-repository',
  title: 'Exposed .svn working copy',
  cwe: 527,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const roots = siteRoots(context.surface);
    const looked = await inParallel(checkedOutFolders(context, maxFolders), 4, (folder) =>
      look(context, `${folder}.svn/`, roots.includes(folder)),
    );
    return looked.flat();
  },

  confirm: (_context, { data }) =>
    data && (data.form === 'database' ? viaDatabase(data.base) : viaEntries(data.base, data.file)),

  explain: {
    description:
      'The folder ".svn" was deployed together with the site, and the web server gives out what is in it: a list of all files, and the text of each as it is in the repository.',
    impact:
      'Everybody can read the source code with the passwords and keys in it, the address of the repository and the names of those who work on it, and every weakness that can be seen in the code.',
    sends:
      'GET requests for `wc.db` of `.svn/` in up to 12 folders, for `entries` in the root, for one file that the database names, and for the same below a random folder name.',
    proves:
      'The database names a file by its digest and that file can be fetched, or an old `entries` list names one that can be fetched; a random folder has neither. An attacker downloads the source. By `entries` alone it is low: names of files.',
    remedy:
      'Remove the folder from the web root and deploy an export instead of a working copy (`svn export`). Refuse hidden paths in the server as well: nginx `location ~ /\\.(?!well-known/) { return 404; }`, Apache `RedirectMatch 404 "/\\.svn"`. Then change every secret that stands in the source.',
    references: [
      'CWE-527: https://cwe.mitre.org/data/definitions/527.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
      'Subversion, svn export: https://svnbook.red-bean.com/en/1.7/svn.ref.svn.c.export.html',
    ],
  },
});

/** @param isOld whether the form of Subversion before 1.7 is asked for, which stands in every folder of a working copy */
async function look({ http }: CheckContext, base: string, isOld: boolean): Promise<Candidate<WorkingCopy>[]> {
  const database = await http.get(`${base}wc.db`, { maxBodyBytes });
  if (database.status === 200) {
    const names = subjectValue({ kind: 'http', exchange: database }, 'body:sqlite')?.split('\n') ?? [];
    if (tables.every((table) => names.includes(table)))
      return [{ location: { url: base }, data: { base, form: 'database' } }];
  }
  if (!isOld) return [];
  const entries = await http.get(`${base}entries`, { maxBodyBytes });
  if (entries.status !== 200 || firstMatch(entriesPattern, entries.text) === undefined) return [];
  const named = firstFile(entries.text);
  const file = named && (await http.get(textOf(base, named))).status === 200 ? named : undefined;
  return [{ location: { url: base }, data: { base, form: 'entries', file }, ...(file ? {} : { cvss: slight }) }];
}

/** The database names a file by its digest, and the file has it. */
function viaDatabase(base: string): Experiment {
  const object = (folder: string, note: string): Step => ({
    http: { url: `${folder}pristine/‹fan›/‹fan›‹rest›.svn-base` },
    note,
    expect: [claim('status', 'equals', '200'), claim('body:sha1', 'equals', '‹fan›‹rest›')],
  });
  return {
    steps: [
      {
        http: { url: `${base}wc.db` },
        note: "The working copy's database can be read, and names files by their digests.",
        expect: [
          claim('status', 'equals', '200'),
          ...tables.map((table) => claim('body:sqlite', 'matches', `(?m)^${table}$`, 'It has this table.')),
        ],
        capture: [
          { name: 'fan', subject: 'body', pattern: checksum },
          { name: 'rest', subject: 'body', pattern: '\\$sha1\\$‹fan›([0-9a-f]{38})' },
        ],
      },
      object(base, 'A file of that digest can be fetched.'),
    ],
    control: [object(sibling(base), 'A folder of a random name beside it has no such file.')],
  };
}

/** A file that the list names, by a name that stands for itself in an address. */
const firstFile = (entries: string): string | undefined => /\f\n([\w.-]{1,100})\nfile\n/.exec(entries)?.[1];

/** The text of a file as it is in the repository. */
const textOf = (base: string, file: string): string => `${base}text-base/${file}.svn-base`;

function viaEntries(base: string, file: string | undefined): Experiment {
  const text = (folder: string, note: string): Step => ({
    http: { url: textOf(folder, file ?? '') },
    note,
    expect: [claim('status', 'equals', '200')],
  });
  const step = (folder: string, note: string): Step => ({
    http: { url: `${folder}entries` },
    note,
    expect: [claim('status', 'equals', '200'), claim('body', 'matches', entriesPattern)],
  });
  return {
    steps: [
      step(base, 'The list of files names the repository that they are from.'),
      ...(file === undefined ? [] : [text(base, 'The text of a file that it names can be fetched.')]),
    ],
    control: [
      file === undefined
        ? step(sibling(base), 'A folder of a random name beside it has no such list.')
        : text(sibling(base), 'A folder of a random name beside it has no such file.'),
    ],
  };
}

const sibling = (base: string): string => base.replace(/\.svn\/$/, '.‹nonce›/');
