import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { loosePath, openRepository } from '../git/repository.ts';
import { likeliest } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { assetFolders } from '../pages/asset-folders.ts';
import { checkedOutFolders, siteRoots } from '../pages/folders.ts';
import { slight } from './paths/entry.ts';

type Folder = {
  /** URL of the ".git/" folder. */
  base: string;
};

/** Folders of the site that are tried: projects are deployed below others, but not below every page. */
const maxFolders = 20;
/** Folders that projects are checked out into although no page leads there; of these and of folders of files only HEAD is asked for. */
const projectFolders = ['app/', 'api/', 'src/', 'site/'];
const maxAssetFolders = 10;
const maxUnseen = 12;

/** The repository that a site was deployed from can be fetched from it. Source: WSTG-CONF-04, gitrepository-layout(5). */
export const gitRepository = defineCheck<Folder>({
  id: 'exposure.git-repository',
  title: 'Exposed .git repository',
  cwe: 527,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const { surface } = context;
    const folders = checkedOutFolders(context, maxFolders);
    const roots = new Set(siteRoots(surface));
    const found = await foundIn(folders, (base, folder) =>
      roots.has(folder) ? looksLikeRepository(context, base) : hasHead(context, base),
    );
    if (found.length > 0) return weighed(context, found);
    const usual = siteRoots(surface).flatMap((root) => projectFolders.map((name) => root + name));
    const assets = likeliest(context, await assetFolders(context), maxAssetFolders, 'folders of files');
    const others = [...new Set([...assets, ...usual])].filter((folder) => !folders.includes(folder));
    const unseen = likeliest(context, others, maxUnseen, 'folders');
    return weighed(context, await foundIn(unseen, (base) => hasHead(context, base)));
  },

  async confirm(context, { data }) {
    if (!data) return undefined;
    const { base } = data;
    const shown = await readableIn(context, base);
    if (shown.by === 'commit') return viaCommit(context, base, shown.commit);
    const entry = await firstReadable(context, base);
    return shown.by === 'pack' ? viaPack(base, shown.pack, entry) : viaIndex(base, entry, shown.blob);
  },

  gives: {
    kinds: ['repository', 'exposed-text'],
    facts: ({ data }) =>
      data
        ? [
            { kind: 'repository', subject: data.base, attributes: { base: data.base } },
            { kind: 'exposed-text', subject: data.base, attributes: { form: 'repository' } },
          ]
        : [],
  },

  explain: {
    description:
      'The folder ".git" was deployed together with the site, and the web server gives out what is in it. With the names of its objects, which follow from each other, the whole repository can be put together again.',
    impact:
      'Everybody can read the source code and its history: passwords and keys that were ever committed, addresses of internal systems, the names and addresses of the authors, and every weakness that can be seen in the code.',
    sends:
      'GET requests for `HEAD`, `config`, `packed-refs` and the list of packs of `.git/` in the root, for `HEAD` in up to 20 folders of pages and up to 12 more, and for a commit, pack, index or file found there.',
    proves:
      'The object of the newest commit inflates to a commit, or a pack or the index has Git’s signature; a random folder has none. An attacker downloads the source and its history. By an index of which no file can be fetched it is low: names of files.',
    remedy:
      'Remove the folder from the web root and deploy built files instead of a checkout (`git archive HEAD | tar -x -C /var/www/site`). Refuse hidden paths in the server as well: nginx `location ~ /\\.(?!well-known/) { return 404; }`, Apache `RedirectMatch 404 "/\\.git"`. Then change every secret that the history holds: taking the folder away does not call back what was copied.',
    references: [
      'CWE-527: https://cwe.mitre.org/data/definitions/527.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
      'Git repository layout: https://git-scm.com/docs/gitrepository-layout',
    ],
  },
});

/** What of a repository can be read: the newest commit, a pack, or the index, perhaps with a file that it names. */
type ReadableRepository =
  | { by: 'commit'; commit: string }
  | { by: 'pack'; pack: string }
  | { by: 'index'; blob: string | undefined };

async function readableIn(context: CheckContext, base: string): Promise<ReadableRepository> {
  const repository = openRepository(context, base);
  const commit = await repository.head();
  if (commit !== undefined && (await hasLoose(context, base, commit))) return { by: 'commit', commit };
  const [pack] = await repository.packs();
  if (pack !== undefined) return { by: 'pack', pack };
  const { status, body } = await context.http.get(`${base}index`, { maxBodyBytes: 16_384 });
  const blob = status === 200 ? firstBlob(body) : undefined;
  return { by: 'index', blob: blob !== undefined && (await hasLoose(context, base, blob)) ? blob : undefined };
}

/** Object id of the first file of an index. Source: gitformat-index(5): a head of 12 bytes, then 40 bytes before the id. */
function firstBlob(index: Uint8Array): string | undefined {
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  if (bytes.length < 72 || bytes.toString('latin1', 0, 4) !== 'DIRC' || bytes.readUInt32BE(8) === 0) return undefined;
  const isFile = bytes.readUInt32BE(36) >> 12 === 0o10;
  return isFile ? bytes.toString('hex', 52, 72) : undefined;
}

/** By the index alone names of files are read, and no source. */
async function weighed(context: CheckContext, found: readonly Candidate<Folder>[]): Promise<Candidate<Folder>[]> {
  return inParallel(found, 4, async (candidate) => {
    const shown = candidate.data && (await readableIn(context, candidate.data.base));
    return shown?.by === 'index' && shown.blob === undefined ? { ...candidate, cvss: slight } : candidate;
  });
}

async function foundIn(
  folders: readonly string[],
  looks: (base: string, folder: string) => Promise<boolean>,
): Promise<Candidate<Folder>[]> {
  const looked = await inParallel(folders, 4, async (folder): Promise<Candidate<Folder>[]> => {
    const base = `${folder}.git/`;
    return (await looks(base, folder)) ? [{ location: { url: base }, data: { base } }] : [];
  });
  return looked.flat();
}

/** What a site without a repository answers with anything but these forms. HEAD or config alone may be refused by a rule. */
async function looksLikeRepository(context: CheckContext, base: string): Promise<boolean> {
  if ((await firstReadable(context, base)) !== undefined) return true;
  const refs = await context.http.get(`${base}packed-refs`, { maxBodyBytes: 16_384 });
  if (refs.status === 200 && /^(?:# pack-refs with:|[0-9a-f]{40} refs\/)/.test(refs.text)) return true;
  const packs = await context.http.get(`${base}objects/info/packs`, { maxBodyBytes: 16_384 });
  return packs.status === 200 && /^P pack-[0-9a-f]{40}\.pack$/m.test(packs.text);
}

async function hasHead({ http }: CheckContext, base: string): Promise<boolean> {
  const { status, text } = await http.get(`${base}HEAD`, { maxBodyBytes: 1_024 });
  return status === 200 && /^(?:ref: refs\/[^\s<>]{1,200}|[0-9a-f]{40})\s*$/.test(text);
}

async function firstReadable(context: CheckContext, base: string): Promise<'HEAD' | 'config' | undefined> {
  if (await hasHead(context, base)) return 'HEAD';
  const { status, text } = await context.http.get(`${base}config`, { maxBodyBytes: 16_384 });
  const isConfig = status === 200 && /^[ \t]*\[core\][ \t\r]*$/m.test(text) && text.includes('repositoryformatversion');
  return isConfig ? 'config' : undefined;
}

const hasLoose = async ({ http }: CheckContext, base: string, id: string): Promise<boolean> =>
  (await http.get(loosePath(base, id))).status === 200;

/** "commit <size>\0tree <id>": nothing else inflates to this. */
const commitPattern = '^commit [0-9]+\\x00tree [0-9a-f]{40}\\n';
const idPattern = '([0-9a-f]{2})[0-9a-f]{38}';

async function viaCommit({ http }: CheckContext, base: string, commit: string): Promise<Experiment> {
  const head = await http.get(`${base}HEAD`);
  const branch = /^ref: (\S+)/.exec(head.text)?.[1];
  const isLoose = branch !== undefined && (await http.get(base + branch)).text.startsWith(commit);
  const source = branch === undefined ? 'HEAD' : isLoose ? branch : 'packed-refs';
  const after = source === 'packed-refs' ? ` ${escapePattern(branch ?? '')}\\b` : '\\s*$';
  const objectStep = (folder: string): Step => ({
    http: { url: `${folder}objects/‹fan›/‹rest›` },
    note: 'The object of that name inflates to a commit.',
    expect: [claim('status', 'equals', '200'), claim('body:inflate', 'matches', commitPattern)],
  });
  return {
    steps: [
      {
        http: { url: `${base}HEAD` },
        note: 'HEAD names the branch or commit that is checked out.',
        expect: [claim('status', 'equals', '200'), claim('body', 'matches', '^(?:ref: refs/|[0-9a-f]{40})')],
      },
      {
        http: { url: base + source },
        note: 'The branch names its newest commit.',
        expect: [claim('status', 'equals', '200')],
        capture: [
          { name: 'fan', subject: 'body', pattern: `(?m)^${idPattern}${after}` },
          { name: 'rest', subject: 'body', pattern: `(?m)^‹fan›([0-9a-f]{38})${after}` },
        ],
      },
      objectStep(base),
    ],
    control: [{ ...objectStep(sibling(base)), note: 'A folder of a random name beside it has no such object.' }],
  };
}

/** A cloned or packed repository has its objects in packs. */
function viaPack(base: string, pack: string, entry: 'HEAD' | 'config' | undefined): Experiment {
  const packStep = (url: string): Step => ({
    http: { url },
    note: 'The file has the signature and version of a Git pack.',
    expect: [claim('status', 'equals', '200'), claim('body', 'matches', '^PACK\\x00\\x00\\x00[\\x02\\x03]')],
  });
  return {
    steps: [...entrySteps(base, entry), packStep(pack)],
    control: [{ ...packStep(pack.replace(base, sibling(base))), note: 'A folder of a random name has no such pack.' }],
  };
}

/** Where no list of packs can be had, the index shows the names and object ids of all files; a file may be fetched by its id. */
function viaIndex(base: string, entry: 'HEAD' | 'config' | undefined, blob: string | undefined): Experiment {
  const indexStep = (folder: string): Step => ({
    http: { url: `${folder}index` },
    note: 'The index of the working tree has its signature and version.',
    expect: [claim('status', 'equals', '200'), claim('body', 'matches', '^DIRC\\x00\\x00\\x00[\\x02-\\x04]')],
  });
  const blobStep = (folder: string): Step => ({
    http: { url: loosePath(folder, blob ?? '') },
    note: 'A file that the index names can be fetched, and inflates to its text.',
    expect: [claim('status', 'equals', '200'), claim('body:inflate', 'matches', '^blob [0-9]+\\x00')],
  });
  const steps = [...entrySteps(base, entry), indexStep(base)];
  return blob === undefined
    ? { steps, control: [{ ...indexStep(sibling(base)), note: 'A folder of a random name has no index.' }] }
    : {
        steps: [...steps, blobStep(base)],
        control: [{ ...blobStep(sibling(base)), note: 'A folder of a random name has no such file.' }],
      };
}

const headStep = (base: string): Step => ({
  http: { url: `${base}HEAD` },
  note: 'HEAD names the branch or commit that is checked out.',
  expect: [claim('status', 'equals', '200'), claim('body', 'matches', '^(?:ref: refs/\\S+|[0-9a-f]{40})\\s*$')],
});

const configStep = (base: string): Step => ({
  http: { url: `${base}config` },
  note: "The repository's settings can be read.",
  expect: [claim('status', 'equals', '200'), claim('body', 'matches', '(?m)^\\s*repositoryformatversion\\s*=\\s*[01]')],
});

const entrySteps = (base: string, entry: 'HEAD' | 'config' | undefined): Step[] =>
  entry === undefined ? [] : [entry === 'HEAD' ? headStep(base) : configStep(base)];

/** R3: what every unknown path is answered with is no evidence. */
const sibling = (base: string): string => base.replace(/\.git\/$/, '.‹nonce›/');
