import type { Candidate } from '../../model/candidate.ts';
import { claim, type Step } from '../../model/experiment.ts';
import { unlessLeftOut } from '../../probe/errors.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { likeliest, widened } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { assetFolders } from '../pages/asset-folders.ts';
import { fileFolders, foldersAtMost, siteRoots } from '../pages/folders.ts';
import { type ListedFile, listingOf } from '../pages/listing.ts';
import { isLikeMissing } from '../pages/soft-404.ts';

type Listed = {
  folder: string;
  pattern: string;
  entry: ListedFile;
  /** What the entry is sent as. */
  contentType: string | undefined;
  /** Addresses of files of text that nothing else leads to, perhaps. */
  texts: string[];
};

const maxFolders = 40;
/** Folders that are there on many sites without a page that leads to them. */
const usualFolders = ['backup/', 'backups/', 'uploads/', 'files/', 'logs/', 'keys/'];
/** The same on sites that list one of those: what stands in them is meant for nobody. */
const furtherFolders = [
  'config/',
  'conf/',
  'database/',
  'db/',
  'sql/',
  'data/',
  'includes/',
  'inc/',
  'private/',
  'old/',
];
/** Entries that are asked for until one answers: some of a folder may be refused one by one. */
const maxEntries = 5;
const maxFileBytes = 1024;

/** Files of text in which accounts or settings are kept. */
const textFile =
  /\.(?:csv|tsv|txt|sql|json|ya?ml|xml|ini|conf|cfg|env|log|bak|old|orig|save|swp|dump|md|properties|php~)$/i;
const maxTexts = 4;

/** The server makes a list of what is in a folder. Source: WSTG-CONF-04, CWE-548. */
export const directoryListing = defineCheck<Listed>({
  id: 'exposure.directory-listing',
  title: 'Directory listing enabled',
  cwe: 548,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 10,

  async detect(context) {
    const { surface } = context;
    const seen = new Set([...fileFolders(surface), ...(await assetFolders(context))]);
    const chosen = foldersAtMost(context, [...seen], widened(context, maxFolders));
    const below = (names: readonly string[]) => siteRoots(surface).flatMap((root) => names.map((name) => root + name));
    const lookAt = async (folders: readonly string[]) =>
      (await inParallel(folders, 4, (folder) => look(context, folder))).flat();
    const folders = new Set([...chosen, ...below(usualFolders)]);
    const listed = await lookAt([...folders]);
    const further = below(furtherFolders).filter((folder) => !folders.has(folder));
    return listed.length === 0 ? [] : [...(await lookAt(further)), ...listed];
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { folder, pattern, entry, contentType } = data;
    const file = (url: string, note: string): Step => ({
      http: { url },
      note,
      expect: [
        claim('status', 'equals', '200'),
        ...(contentType ? [claim('headers:content-type', 'equals', contentType, 'It is a file of this kind.')] : []),
      ],
    });
    return {
      steps: [
        {
          http: { url: folder },
          note: 'The address of the folder answers with a list that the server made.',
          isShown: true,
          expect: [
            claim('status', 'equals', '200'),
            claim('body', 'matches', pattern, 'The list has the form that this kind of server gives to it.'),
            claim('body', 'matches', entry.pattern, 'It has this entry.'),
          ],
        },
        file(entry.url, 'The entry can be fetched: the list is real.'),
      ],
      // R3: where every name answers as the entry does, a list would prove nothing. A page for all addresses is of another kind.
      control: [
        file(`${folder}‹nonce›${/\.\w{1,8}$|\/$/.exec(entry.url)?.[0] ?? ''}`, 'A random name in the folder cannot.'),
      ],
    };
  },

  gives: {
    kinds: ['exposed-text'],
    facts: ({ data }) => data?.texts.map((subject) => ({ kind: 'exposed-text', subject, attributes: {} })) ?? [],
  },

  explain: {
    description:
      'A folder without an index page answers with a list of everything in it. The server makes the list itself, so it also shows files that no page links to.',
    impact:
      'Nobody has to guess names any more: uploads of other people, backups, logs, old versions and settings that only their unknown address protected are found at once.',
    sends:
      'GET requests for seen folders, 40 or as many as the budget allows, six usual ones, ten more where one is listed, for entries of a list until one answers, and for a random name in the folder.',
    proves:
      'The folder answers with a list in the form of a known server, and one of its entries can be fetched; a random name in the folder cannot. An attacker finds files that no page links to.',
    remedy:
      'Switch the lists off. Apache: `Options -Indexes`. nginx: `autoindex off;`. lighttpd: `dir-listing.activate = "disable"`. IIS: `<directoryBrowse enabled="false"/>` in web.config. Tomcat: `listings` = false of the DefaultServlet. Caddy: no `file_server browse`. A bucket: block public access, or let visitors get objects and not list them (`s3:GetObject` without `s3:ListBucket`). In development servers (Python, Node.js, Go) serve files by an explicit list instead. Take out of the web root what is not for visitors.',
    references: [
      'CWE-548: https://cwe.mitre.org/data/definitions/548.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
      'nginx, autoindex: https://nginx.org/en/docs/http/ngx_http_autoindex_module.html',
    ],
  },
});

async function look(context: CheckContext, folder: string): Promise<Candidate<Listed>[]> {
  const { http } = context;
  // What the gate refuses by its name is passed over: there are other folders, and other entries.
  const answer = await unlessLeftOut(() => http.get(folder));
  const listing = answer && listingOf(folder, answer);
  for (const entry of listing?.entries.slice(0, maxEntries) ?? []) {
    const file = await unlessLeftOut(() => http.get(entry.url, { maxBodyBytes: maxFileBytes }));
    if (!listing || file?.status !== 200 || (await isLikeMissing(context, file))) continue;
    return [
      {
        location: { url: folder },
        // One setting of the server, seen in several folders.
        route: '/{listing}',
        detail: `The list looks like one of ${listing.server} and has ${listing.entries.length} entries.`,
        data: {
          ...{ folder, pattern: listing.pattern, entry, contentType: file.header('content-type') },
          texts: textsIn(context, listing.entries),
        },
      },
    ];
  }
  if (listing) likeliest(context, listing.entries, maxEntries, 'files in a list');
  return [];
}

function textsIn(context: CheckContext, entries: readonly ListedFile[]): string[] {
  const texts = entries.map(({ url }) => url).filter((url) => textFile.test(new URL(url).pathname));
  return likeliest(context, texts, maxTexts, 'files of text in a list');
}
