import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Surface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { ownScripts } from '../pages/scripts.ts';

/** "https://shop.example/assets" with "css/site.css" below it. */
type StaticFile = { folder: string; rest: string };
type Escaped = StaticFile & { path: string; shown: Assertion[]; isBeside?: true };

const maxFolders = 6;
const nginx = /nginx|openresty|tengine/i;
/** What the folder behind an address is called where it is called otherwise than that. */
const usualNames = ['static', 'public', 'assets', 'files', 'media', 'uploads', 'dist', 'www', 'html'];
/** Files beside a folder of public files, by what identifies them. */
const beside: readonly (readonly [path: string, pattern: string])[] = [
  ['.env', '(?m)^(?:export )?[A-Z][A-Z0-9_]{2,}='],
  ['.git/HEAD', '^ref: refs/heads/'],
  ['package.json', '"(?:dependencies|devDependencies|scripts)"\\s*:'],
  ['requirements.txt', '(?m)^[A-Za-z][\\w.-]*==\\d'],
  ['manage.py', 'django\\.core\\.management|DJANGO_SETTINGS_MODULE'],
  ['app.py', '(?m)^(?:import|from) \\w'],
  ['composer.json', '"require"\\s*:'],
];
const fewBeside = 2;
/** What other servers than nginx have behind the first folders, which their applications serve by themselves. */
const fewNames = 3;
const fewFolders = 2;

/** The address of a folder without its slash, with two dots behind it, leads out of the folder. Source: CWE-22, nginx manual (alias). */
export const aliasTraversal = defineCheck<Escaped>({
  id: 'injection.alias-traversal',
  title: 'Path traversal (nginx alias off by slash)',
  cwe: 22,
  owasp: 'A02:2025',
  // That the folder is left was shown, and not what lies beside it.
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 6,

  async detect(context) {
    const files = staticFiles(context.surface);
    if (files.length === 0) return notApplicable('No file in a folder was seen.');
    const candidates: Candidate<Escaped>[] = [];
    for (const [index, file] of likeliest(context, files, maxFolders, 'folders of files').entries()) {
      const escaped = await look(context, file, index < fewFolders ? fewNames : 0);
      if (escaped) candidates.push(candidateFor(escaped));
    }
    return candidates;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The web server puts what follows the address of a folder behind the path of a directory, and the address in its settings lacks the slash at its end: "/assets../" is the directory above.',
    impact:
      'Everybody reads what lies beside the folder: settings with passwords and keys, source code, a repository, a database file. It goes one directory up, with all that is below that.',
    sends:
      'Requests a file of up to 6 folders by way of the directory above ("/assets../assets/site.css"); also by 3 usual names, from nginx by 9, and from nginx 2 files that lie beside such folders, 7 where the directory above is reached.',
    proves:
      'By way of the directory above the same file comes back, or one that lies beside the folder and is not served; with a random word in the place of the dots it does not. An attacker reads other files there.',
    remedy:
      'End both with a slash: `location /assets/ { alias /srv/app/assets/; }`, or use `root`. Keep nothing beside the folder that is not for everybody. `gixy` finds such places in a configuration.',
    references: [
      'CWE-22: https://cwe.mitre.org/data/definitions/22.html',
      'nginx, alias: https://nginx.org/en/docs/http/ngx_http_core_module.html#alias',
      'Gixy, alias traversal: https://github.com/yandex/gixy/blob/master/docs/en/plugins/aliastraversal.md',
    ],
  },
});

/** A file of each folder: those that are texts first, since these are compared as a whole. */
function staticFiles(surface: Surface): StaticFile[] {
  const own = new Set(surface.origins.map(({ origin }) => origin));
  const others = surface.skipped.filter(({ code }) => code === 'not-a-page').map(({ url }) => url);
  const pages = surface.pages.filter(({ status, url }) => status === 200 && /\.\w{2,5}$/.test(new URL(url).pathname));
  const urls = [...ownScripts(surface), ...others, ...pages.map(({ url }) => url)];
  const files = urls.flatMap((url): StaticFile[] => {
    const { origin, pathname } = new URL(url);
    const [, folder, rest] = /^(\/[^/]+)\/(.+[^/])$/.exec(pathname) ?? [];
    return own.has(origin) && folder && rest && !folder.includes('.') ? [{ folder: origin + folder, rest }] : [];
  });
  const textsLast = files.toSorted((a, b) => Number(isText(a)) - Number(isText(b)));
  return [...new Map(textsLast.map((file) => [file.folder, file])).values()];
}

const isText = ({ rest }: StaticFile): boolean => /\.(?:css|js|mjs|svg|txt|json|map|xml|html?)$/i.test(rest);

/** @param few how many of the usual names a server that is not nginx is asked for */
async function look(context: CheckContext, file: StaticFile, few: number): Promise<Escaped | undefined> {
  const { folder, rest } = file;
  const plain = await asked(context, `${folder}/${rest}`);
  if (plain?.status !== 200 || plain.text.trim() === '') return undefined;
  const isSame = (answer: Exchange | undefined) => answer?.status === 200 && answer.text === plain.text;
  const isNginx = nginx.test(plain.header('server') ?? '');
  const own = folder.slice(folder.lastIndexOf('/') + 1);
  const names = [...new Set([own, ...usualNames.slice(0, isNginx ? usualNames.length : few)])];
  const name = await firstOf(names, async (each) => isSame(await asked(context, `${folder}../${each}/${rest}`)));
  if (name === undefined && !isNginx) return undefined;
  // What gives the file for any folder before it has left none.
  if (name !== undefined && isSame(await asked(context, `${folder}../${context.nonce()}/${rest}`))) return undefined;
  const tried = name === undefined ? beside.slice(0, fewBeside) : beside;
  for (const [path, pattern] of tried) {
    const fits = (answer: Exchange | undefined) =>
      answer?.status === 200 && firstMatch(pattern, answer.text) !== undefined;
    if (!fits(await asked(context, `${folder}../${path}`))) continue;
    // What everybody is given at its own address is no secret.
    const others = [new URL(`/${path}`, folder).href, `${folder}${context.nonce()}/${path}`];
    if ((await inParallel(others, 2, (each) => asked(context, each))).some(fits)) continue;
    const shown = [
      claim('status', 'equals', '200'),
      claim('body:masked', 'matches', pattern, 'It has the form of that file.'),
    ];
    return { ...file, path, shown, isBeside: true };
  }
  if (name === undefined || (await isSiteItself(context, folder))) return undefined;
  const piece = /[^\s‹›][^\r\n‹›]{0,79}/.exec(plain.text)?.[0] ?? '';
  const shown = [claim('status', 'equals', '200'), claim('body', 'contains', piece, 'It is the file.')];
  return { ...file, path: `${name}/${rest}`, shown };
}

/** The directory above is the one that the site serves anyway. */
async function isSiteItself(context: CheckContext, folder: string): Promise<boolean> {
  const { origin } = new URL(folder);
  const [home, above] = [await asked(context, `${origin}/`), await asked(context, `${folder}../index.html`)];
  return above?.status === 200 && home?.text === above.text;
}

async function asked({ http }: CheckContext, url: string): Promise<Exchange | undefined> {
  try {
    return await http.get(url);
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}

async function firstOf<T>(all: readonly T[], isIt: (each: T) => Promise<boolean>): Promise<T | undefined> {
  for (const each of all) if (await isIt(each)) return each;
  return undefined;
}

function candidateFor(escaped: Escaped): Candidate<Escaped> {
  const { folder, path, isBeside } = escaped;
  const url = `${folder}../${path}`;
  return {
    location: { url },
    route: `${new URL(folder).pathname}../`,
    detail: isBeside
      ? `"${path}", which lies beside the folder, was read at ${url}.`
      : `The directory above the folder was reached at ${url}.`,
    ...(isBeside && { cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' }),
    data: escaped,
  };
}

function experimentFor({ folder, rest, path, shown, isBeside }: Escaped): Experiment {
  return {
    steps: [
      ...(isBeside ? [] : [{ http: { url: `${folder}/${rest}` }, note: 'A file of the folder.', expect: shown }]),
      {
        http: { url: `${folder}../${path}` },
        note: isBeside
          ? 'Two dots behind the name of the folder lead to a file beside it.'
          : 'Two dots behind the name of the folder lead above it, and from there to the same file.',
        expect: shown,
      },
    ],
    control: [
      { http: { url: `${folder}‹nonce›/${path}` }, note: 'A random word in their place leads nowhere.', expect: shown },
    ],
  };
}
