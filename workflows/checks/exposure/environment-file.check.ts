import type { Candidate } from '../../model/candidate.ts';
import { claim, type Step } from '../../model/experiment.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { bitsPerCharacter } from '../pages/entropy.ts';
import { siteFolders, siteRoots } from '../pages/folders.ts';
import { type Guesses, lookAtGuesses } from './guesses.ts';
import { knownSettings, readSettings, type Setting } from './settings-file.ts';

type ExposedKeys = { url: string; keys: string[] };

/**
 * Names beside ".env" that frameworks read, and copies that people make, the likeliest first. Templates such as ".env.example" are
 * public by intent.
 */
const variants = [
  '.env.local',
  '.env.production',
  '.env.bak',
  '.env.old',
  '.env.backup',
  '.env.production.local',
  '.env.prod',
  '.env.staging',
  '.env.development',
  '.env.dev',
  '.env.docker',
  '.env.save',
  '.env.live',
  '.env.txt',
  '.env~',
];
/** Folders of the application that are often below the web root, although no page is. */
const applicationFolders = ['api/', 'app/', 'backend/', 'server/', 'public/', 'laravel/', 'config/', 'src/'];
/** So many of each are asked for on any site. */
const likely = { variants: 3, folders: 3 };
const maxFolders = 15;
const maxFileBytes = 128 * 1024;
/** Characters, and bits of each, that a value has which nobody made up. */
const randomSecret = { minLength: 16, minBits: 3 };
/** Keys that a proof names. */
const maxKeys = 4;

/** A file of environment settings is served. Source: WSTG-CONF-04, CWE-538. */
export const environmentFile = defineCheck<ExposedKeys>({
  id: 'exposure.environment-file',
  title: 'Exposed .env file',
  cwe: 538,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 15,

  async detect(context) {
    return lookAtGuesses(context, filesOf(context), look);
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const step = (url: string, note: string): Step => ({
      http: { url },
      note,
      expect: [
        claim('status', 'equals', '200'),
        ...data.keys.map((key) =>
          claim('body:masked', 'matches', `(?m)^\\s*(?:export\\s+)?${escapePattern(key)}\\s*=`, `${key} is set.`),
        ),
        claim('body:masked', 'not-matches', '(?i)<(?:!doctype|html|head|body|script|title)\\b', 'It is no page.'),
      ],
    });
    // R3: a hidden file of a random name, which no site has.
    const sibling = data.url.replace(/\.env([^/]*)$/, '.‹nonce›$1');
    return {
      steps: [step(data.url, 'The file assigns these settings. Their values are not kept.')],
      control: [step(sibling, 'A file of a random name in the same folder has no such settings.')],
    };
  },

  gives: {
    kinds: ['environment-file', 'exposed-text'],
    facts: ({ data }) =>
      data ? ['environment-file', 'exposed-text'].map((kind) => ({ kind, subject: data.url, attributes: {} })) : [],
  },

  explain: {
    description:
      'A ".env" file, which has the settings of an application, lies in a folder that the web server gives out. Such files hold passwords of databases, keys of services and the secret that sessions are signed with.',
    impact:
      'Everybody can fetch it with one request, and programs that look for exactly this file scan the whole internet all day. With its values one can read the database, send mail, use paid services in your name, or make sessions of any user.',
    sends:
      'GET requests for `.env` in up to 15 folders and 3 usual ones and for 3 variants of its name, for 5 more folders and 12 variants where one of these answers, and for a random hidden file beside one that answers.',
    proves:
      'The file assigns known settings and is no page; a random file in the folder does not. An attacker reads them. Values are not kept and not used.',
    remedy:
      'Change every secret in the file at once: it has to count as known. Then move the file out of the web root (in Laravel and Symfony only the folder "public" is the root) or give the settings to the process by its manager (systemd `EnvironmentFile=/etc/shop.env`, secrets of the container platform). Refuse hidden files in the server as well: nginx `location ~ /\\.(?!well-known/) { return 404; }`, Apache `RedirectMatch 404 "/\\.(?!well-known/)"`.',
    references: [
      'CWE-538: https://cwe.mitre.org/data/definitions/538.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
      'The Twelve-Factor App, config: https://12factor.net/config',
    ],
  },
});

function filesOf(context: CheckContext): Guesses<string> {
  const roots = siteRoots(context.surface);
  const atRoots = (names: readonly string[]) => roots.flatMap((root) => names.map((name) => root + name));
  const inFolders = applicationFolders.map((folder) => `${folder}.env`);
  const first = new Set([
    ...siteFolders(context, maxFolders).map((folder) => `${folder}.env`),
    ...atRoots(variants.slice(0, likely.variants)),
    ...atRoots(inFolders.slice(0, likely.folders)),
  ]);
  return { first: [...first], further: atRoots([...variants, ...inFolders]).filter((url) => !first.has(url)) };
}

const isRandomSecret = ({ isSecret, value }: Setting): boolean =>
  isSecret && value.length >= randomSecret.minLength && bitsPerCharacter(value) >= randomSecret.minBits;

async function look({ http }: CheckContext, url: string): Promise<Candidate<ExposedKeys>[]> {
  const { status, text, truncated } = await http.get(url, { maxBodyBytes: maxFileBytes });
  if (status !== 200 || truncated || /^\s*[<{[]/.test(text)) return [];
  const known = knownSettings(readSettings(text) ?? []);
  const secrets = known.filter(({ isSecret }) => isSecret).length;
  // One name alone may be a line of anything, but for a value that can be nothing else than a secret.
  if (known.length < 2 && !known.some(isRandomSecret)) return [];
  return [
    {
      location: { url },
      detail: `The file sets ${known.length} known ${known.length === 1 ? 'setting' : 'settings'}, ${secrets} of them secret by their names.`,
      // Without a secret in it the file only discloses how the application is configured.
      ...(secrets === 0 ? { cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N' } : {}),
      data: {
        url,
        keys: known.slice(0, maxKeys).map(({ key }) => key),
      },
    },
  ];
}
