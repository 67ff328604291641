import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { PageSurface, Surface } from '../../model/surface.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { atMost, widened } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { siteRoots } from '../pages/folders.ts';
import { orLeft } from '../pages/or-left.ts';
import { type FileMark, librariesIn } from './library-files.ts';

/** A version that a page runs: it says so itself, or the bytes of a file that the page loads do. */
type RunningLibrary = { pageUrl: string; library: string; version: string; file?: { url: string; mark: FileMark } };
type PageLibraries = { pageUrl: string; libraries: string[]; files: string[] };

/** Pages are opened in a browser: those that differ in their scripts, as the others show the same. */
const maxPages = 6;
/** Script files that are read for libraries that keep to themselves, as in bundles. */
const maxFiles = 24;
const width = 4;
/** Numbers that a finding names; old versions have dozens. */
const maxNamed = 4;

/** A page runs a version of a library with published weaknesses. Source: WSTG-CLNT, CWE-1395. */
export const vulnerableLibrary = defineCheck<RunningLibrary>({
  id: 'client.vulnerable-library',
  title: 'Vulnerable JavaScript library',
  cwe: 1395,
  owasp: 'A03:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',
  cost: 20,

  async detect(context) {
    const pages = atMost(context, pagesByScripts(context.surface), maxPages, 'pages with scripts of their own');
    if (pages.length === 0) return notApplicable('No page has a script.');
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    const { isOff, isOutdated, origin } = context.libraryData;
    const text = `libraries were compared with data ${origin}: newer data is fetched where the worker's LIBRARY_DATA_URL is not off`;
    // Each visitor has the same data, which counts once.
    const places = ['data on libraries'];
    if (isOff) context.leave({ code: 'instrument_off', count: 1, text, places });
    const outdated = `libraries were compared with data ${origin}: the newest could not be fetched from the worker's LIBRARY_DATA_URL`;
    if (isOutdated) context.leave({ code: 'outdated', count: 1, text: outdated, places });
    const seen = (await inParallel(pages, width, ({ url }) => orLeft(context, url, () => lookAt(context, url)))).flat();
    const inPages = seen.flatMap(({ pageUrl, libraries }) =>
      libraries.map((line): RunningLibrary => {
        const [library = '', version = ''] = line.split(' ');
        return { pageUrl, library, version };
      }),
    );
    const candidates = new Map<string, Candidate<RunningLibrary>>();
    for (const running of [...inPages, ...(await inFiles(context, seen))]) {
      const key = `${running.library} ${running.version}`;
      const candidate = candidates.has(key) ? undefined : candidateFor(context, running);
      if (candidate) candidates.set(key, candidate);
    }
    return [...candidates.values()];
  },

  confirm: (_context, { data }) => data && (data.file ? fileExperiment(data, data.file) : pageExperiment(data)),

  explain: {
    description:
      'A page runs a version of a library for which weaknesses are published. The version is what the library itself says in a browser, or, where it keeps to itself, what the file that the page loads says; whether the page uses the weak part was not tried, and a version that somebody repaired without changing its number looks the same.',
    impact:
      'Most such weaknesses let input that the library handles become script: where the page gives it text from addresses, messages or other users, that script acts in the name of the visitor.',
    sends:
      'Opens up to 6 pages with different scripts in a browser, and requests their script files, 24 or as many as the budget allows.',
    proves:
      'The running library names its version, or a loaded file has what only that version has; an empty page, or a random file name, has not. The version has published weaknesses. Whether the page uses the weak part is not shown.',
    remedy:
      'Update the library, read its notes on what changed, and take it out where it is not needed any more: `npm install jquery@latest`, `npm audit`. Let a bot propose updates (Dependabot, Renovate), and list what pages load from elsewhere, which no package manager sees.',
    references: [
      'CWE-1395: https://cwe.mitre.org/data/definitions/1395.html',
      'Retire.js, whose data this rests on: https://retirejs.github.io/retire.js/',
      'OWASP Vulnerable Dependency Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Vulnerable_Dependency_Management_Cheat_Sheet.html',
    ],
  },
});

function pagesByScripts({ pages }: Surface): PageSurface[] {
  const withScripts = pages
    .filter(({ status, scripts }) => status === 200 && scripts.some(({ url }) => url !== undefined))
    .toSorted((a, b) => a.url.length - b.url.length);
  const seen = new Set<string>();
  const different = withScripts.filter(({ scripts }) => {
    const added = scripts.flatMap(({ url }) => url ?? []).filter((url) => !seen.has(url));
    for (const url of added) seen.add(url);
    return added.length > 0;
  });
  return different;
}

async function lookAt({ browser, surface }: CheckContext, pageUrl: string): Promise<PageLibraries> {
  const { libraries, requests } = await browser.visit({ url: pageUrl });
  const roots = siteRoots(surface);
  const files = requests
    .map(({ url }) => url)
    .filter((url) => isScriptFile(url) && roots.some((root) => url.startsWith(root)));
  return { pageUrl, libraries, files };
}

const isScriptFile = (url: string): boolean => /\.m?js$/i.test(new URL(url).pathname);

/** What a page says of a library counts more than a file that the page may not use. */
async function inFiles(context: CheckContext, seen: readonly PageLibraries[]): Promise<RunningLibrary[]> {
  const { http, libraryData } = context;
  const pageOf = new Map(
    seen.toReversed().flatMap(({ pageUrl, files }) => files.map((file) => [file, pageUrl] as const)),
  );
  const saidOf = new Set(seen.flatMap(({ libraries }) => libraries.map((line) => line.split(' ')[0])));
  const found = await inParallel(
    atMost(context, [...pageOf], widened(context, maxFiles), 'script files'),
    width,
    async ([url, pageUrl]) => {
      const exchanges = await orLeft(context, url, () => http.get(url));
      const marks = exchanges.flatMap((exchange) =>
        exchange.status === 200 ? librariesIn(libraryData, exchange) : [],
      );
      return marks.map(
        (mark): RunningLibrary => ({ pageUrl, library: mark.library, version: mark.version, file: { url, mark } }),
      );
    },
  );
  return found.flat().filter(({ library }) => !saidOf.has(library));
}

function candidateFor({ libraryData }: CheckContext, data: RunningLibrary): Candidate<RunningLibrary> | undefined {
  const { library, version, pageUrl, file } = data;
  const ids = [...new Set(libraryData.weaknessesOf(library, version).map(({ id }) => id))];
  if (ids.length === 0) return undefined;
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : '';
  const what = file ? `loads ${new URL(file.url).pathname}, which holds` : 'runs';
  return {
    location: { url: pageUrl },
    route: `/{library} ${library}`,
    detail: `The page ${what} ${library} ${version}, which has ${ids.slice(-maxNamed).join(', ')}${more} (data of Retire.js, ${libraryData.origin}).`,
    data,
  };
}

function pageExperiment({ pageUrl, library, version }: RunningLibrary): Experiment {
  const said = `(?m)^${escapePattern(`${library} ${version}`)}$`;
  const step = (url: string, note: string): Step => ({
    browser: { url },
    note,
    expect: [claim('browser:libraries', 'matches', said, 'It says so itself.')],
  });
  return {
    steps: [step(pageUrl, 'The library that runs in the page has this version.')],
    control: [step('data:text/html,<p>An empty page</p>', 'A page without it is not taken to have it.')],
  };
}

function fileExperiment({ pageUrl }: RunningLibrary, { url, mark }: NonNullable<RunningLibrary['file']>): Experiment {
  const shown = 'text' in mark ? claim('body', 'contains', mark.text) : claim('body:sha1', 'equals', mark.sha1);
  const step = (address: string, note: string): Step => ({
    http: { url: address },
    note,
    expect: [claim('status', 'equals', '200'), shown],
  });
  return {
    steps: [
      {
        browser: { url: pageUrl },
        note: 'The page loads this file.',
        expect: [claim('browser:requests', 'matches', `(?m)^${escapePattern(url)}$`)],
      },
      step(url, 'The file has what only this version of the library has.'),
    ],
    control: [
      step(url.replace(/[^/?#]*(?:[?#].*)?$/s, '‹nonce›.js'), 'A file beside it that nobody has does not have it.'),
    ],
  };
}
