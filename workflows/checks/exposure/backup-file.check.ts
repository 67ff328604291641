import { isIP } from 'node:net';
import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { archiveEntries } from '../../proof/archive.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { atMost, widened } from '../inputs/at-most.ts';
import { fingerprintSite, identifiesPlatform } from '../pages/fingerprint-host.ts';
import { checkedOutFolders, siteRoots } from '../pages/folders.ts';
import { type Guesses, lookAtGuesses } from './guesses.ts';
import { languageOf, privateEntryPattern, serverScript, vimSwapPattern } from './source-code.ts';

/** A file that may be there, what it has to hold, and in words what that is. */
type Backup = { url: string; holds: string; claims: Assertion[] };

/** Files whose copies are looked for; each has its own. */
const maxPages = 40;
/** Where nothing else is known, these are edited by hand most often; the last is the entry of most sites. */
const usualPages = ['wp-config.php', 'config.php', 'configuration.php', 'index.php'];
/** Files of settings and of the program, where the site shows what runs them. */
const programFiles = {
  php: ['db.php', 'settings.php', 'login.php', 'admin.php'],
  python: ['config.py', 'app.py', 'settings.py'],
  node: ['config.js', 'app.js', 'server.js'],
} as const;
/** So many copies of each usual page, and so many archives, are asked for on any site. */
const likelyCopies = 2;
const likelyArchives = 8;
const likelyZips = 5;
const maxFolders = 40;
/** Folders of files that pages include, and the usual ones. */
const includes = /\/(?:inc|includes?|lib|libs|config|conf|common|core|admin)\/$/i;
const usualFolders = ['includes', 'config'] as const;
const maxArchiveBytes = 256 * 1024;

/** A copy of a page's source or of the whole site is served. Source: WSTG-CONF-04, CWE-530. */
export const backupFile = defineCheck<Backup>({
  id: 'exposure.backup-file',
  title: 'Exposed backup file',
  cwe: 530,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 20,

  async detect(context) {
    return lookAtGuesses(context, await backupsOf(context), look);
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const step = (url: string, note: string): Step => ({
      http: { url },
      note,
      expect: [claim('status', 'equals', '200'), ...data.claims],
    });
    return {
      steps: [step(data.url, `The file holds ${data.holds}.`)],
      control: [step(siblingOf(data.url), 'A file of a random name with the same ending does not.')],
    };
  },

  gives: {
    kinds: ['exposed-text'],
    // An archive is no text.
    facts: ({ data }) =>
      data?.claims.some(({ subject }) => subject === 'body:masked')
        ? [{ kind: 'exposed-text', subject: data.url, attributes: {} }]
        : [],
  },

  explain: {
    description:
      'The web server gives out a copy that somebody or some editor made: the source of a page that it would otherwise run, or an archive of the site. A page is only run under its own ending; as ".bak", ".old" or "~" it is a text for everybody.',
    impact:
      'Source code shows how the site works, where it is weak, and very often the passwords of its database and services. An archive often holds the data of users as well. The names are few and are tried by every scanner.',
    sends:
      'GET requests for copies of seen pages, 40 or as many as the budget allows (`.bak`, `~`, `.old`, …), of the likeliest usual files and archives, of all usual ones where one answers or PHP is seen, and for random names with the same ending.',
    proves:
      'The file holds source code, a Vim swap file or an archive with private entries; a random name with the same ending does not. An attacker reads the source, and what is in it.',
    remedy:
      'Delete the copy, and change every password that stands in it. Keep backups outside of the web root and work in version control, not on the server. Let the server refuse such endings: nginx `location ~* (?:\\.(?:bak|old|orig|save|swp|sql|zip|tar\\.gz)|~)$ { return 404; }`, Apache `<FilesMatch "(\\.(bak|old|orig|save|swp|sql)|~)$">Require all denied</FilesMatch>`.',
    references: [
      'CWE-530: https://cwe.mitre.org/data/definitions/530.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    ],
  },
});

async function backupsOf(context: CheckContext): Promise<Guesses<Backup>> {
  const { surface } = context;
  const roots = siteRoots(surface);
  const pages = surface.pages
    .filter(({ status, url }) => status < 400 && languageOf(new URL(url).pathname))
    .map(({ url }) => url.replace(/[?#].*$/s, ''));
  const seen = new Set(
    atMost(context, [...new Set(pages)], widened(context, maxPages, endings.length), 'files of pages'),
  );
  const stacks = await fingerprintSite(context);
  const mayBePhp = stacks.has('php') || !identifiesPlatform(stacks);
  const included = stacks.has('php') ? includedPages(context, roots) : [];
  const usual = [
    ...roots.flatMap((root) => (mayBePhp ? usualPages.map((name) => root + name) : [])),
    ...included,
  ].filter((page) => !seen.has(page));
  const programs = (['php', 'python', 'node'] as const)
    .filter((stack) => stacks.has(stack))
    .flatMap((stack) => roots.flatMap((root) => programFiles[stack].map((file) => root + file)))
    .filter((page) => !seen.has(page));
  const [name = ''] = isIP(surface.host) ? [] : surface.host.replace(/^www\./, '').split('.');
  const archives = roots.map((root) => wholes(root, surface.host, name));
  const isLikely = (page: string) => stacks.has('php') && !included.includes(page);
  const first = [
    ...[...seen].flatMap((page) => copiesOf(page, endings)),
    ...usual.flatMap((page) => copiesOf(page, usualEndings).slice(0, isLikely(page) ? undefined : likelyCopies)),
    ...programs.flatMap((page) => copiesOf(page, usualEndings).slice(0, likelyCopies)),
    ...archives.flatMap((ofRoot) => ofRoot.slice(0, likelyArchives)),
  ];
  const further = [...[...usual, ...programs].flatMap((page) => copiesOf(page, usualEndings)), ...archives.flat()];
  const asked = new Set(first.map(({ url }) => url));
  return { first: onceEach(first), further: onceEach(further).filter(({ url }) => !asked.has(url)) };
}

/** What pages in PHP include lies in a folder of its own: those that the site has, and the two that are usual. */
function includedPages(context: CheckContext, roots: readonly string[]): string[] {
  const own = checkedOutFolders(context, maxFolders).filter((folder) => includes.test(folder));
  const usual = roots.flatMap((root) => usualFolders.map((name) => `${root}${name}/`));
  return [...new Set([...own, ...usual])].map((folder) => `${folder}config.php`);
}

const onceEach = (backups: readonly Backup[]): Backup[] => [
  ...new Map(backups.map((backup) => [backup.url, backup])).values(),
];

/** What people, editors and programs put behind the name of a page that they copy, the likeliest first. */
const endings = ['.bak', '~', '.old', '.save', '.txt', '.orig', '.1'];
/** For pages that may not be there at all. */
const usualEndings = endings.slice(0, 5);

function copiesOf(page: string, copyEndings: readonly string[]): Backup[] {
  const { name, pattern } = languageOf(new URL(page).pathname) ?? serverScript;
  const source = (url: string): Backup => ({
    url,
    holds: `source code in ${name}`,
    claims: [claim('body:masked', 'matches', pattern, 'The code is sent instead of being run.')],
  });
  const swap: Backup = {
    url: page.replace(/([^/]+)$/, '.$1.swp'),
    holds: 'the text of a page as the editor Vim keeps it',
    claims: [claim('body:masked', 'matches', vimSwapPattern, 'The file has the signature of a Vim swap file.')],
  };
  const copies = [...copyEndings.map((ending) => page + ending), page.replace(/\.[^./]+$/, '.bak')];
  return [...copies.map(source), swap];
}

function wholes(root: string, host: string, name: string): Backup[] {
  const own = name || 'site';
  const names = [...new Set(['backup', host, own, 'www', 'site', 'public_html', 'htdocs', 'wwwroot'])];
  const usual = ['backup.tar.gz', `${own}.tar.gz`, 'ROOT.war', 'backup.tgz', 'backup.tar', 'old.zip', 'archive.zip'];
  const zips = names.map((each) => `${each}.zip`);
  const tars = [...names.map((each) => `${each}.tar.gz`), `${own}.tgz`];
  const archives = new Set([...zips.slice(0, likelyZips), ...usual, ...zips, ...tars].map((each) => root + each));
  return [
    ...[...archives].map((url) => ({
      url,
      holds: 'an archive with files that are not for visitors',
      claims: [claim('body:archive', 'matches', privateEntryPattern, 'The archive has such an entry.')],
    })),
  ];
}

async function look({ http, surface }: CheckContext, backup: Backup): Promise<Candidate<Backup>[]> {
  // What the site links to is meant to be downloaded.
  if (surface.skipped.some(({ url }) => url === backup.url)) return [];
  const exchange = await http.get(backup.url, { maxBodyBytes: maxArchiveBytes });
  if (exchange.status !== 200 || !backup.claims.every((each) => fits(exchange, each))) return [];
  return [{ location: { url: backup.url }, detail: `The file holds ${backup.holds}.`, data: backup }];
}

function fits(exchange: Exchange, { subject, expected }: Assertion): boolean {
  const value = subject === 'body:archive' ? archiveEntries(exchange.body)?.join('\n') : exchange.text;
  return value !== undefined && firstMatch(expected, value) !== undefined;
}

/** R3: the same folder and endings. "index.php.bak" → "‹nonce›index.php.bak". */
const siblingOf = (url: string): string => url.replace(/\/(\.?)([^/]+)$/, '/$1‹nonce›$2');
