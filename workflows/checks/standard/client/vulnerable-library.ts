import { claim, type Step } from '../../../proof/experiment.ts';
import { escapePattern } from '../../../proof/pattern.ts';
import { type Candidate, defineCheck, notApplicable, notRun, type PageSurface, type Surface } from '../../contract.ts';
import { type KnownWeakness, weaknessesOf } from '../../support/library-data.ts';

type Running = { pageUrl: string; library: string; version: string };

/** Pages are opened in a browser: those that differ in their scripts, as the others show the same. */
const maxPages = 6;
/** Numbers that a finding names; old versions have dozens. */
const maxNamed = 4;

/** A page runs a version of a library with published weaknesses. Source: WSTG-CLNT, CWE-1395. */
export const vulnerableLibrary = defineCheck<Running>({
  id: 'client.vulnerable-library',
  title: 'A JavaScript library with known weaknesses is in use',
  cwe: 1395,
  owasp: 'A03:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect({ surface, browser }) {
    const pages = pagesByScripts(surface);
    if (pages.length === 0) return notApplicable('No page has a script.');
    const unavailable = await browser.unavailable();
    if (unavailable !== undefined) return notRun(unavailable);
    const candidates = new Map<string, Candidate<Running>>();
    for (const { url } of pages) {
      const { libraries } = await browser.visit({ url });
      for (const line of libraries) {
        const [library = '', version = ''] = line.split(' ');
        const weaknesses = weaknessesOf(library, version);
        if (weaknesses.length > 0 && !candidates.has(line))
          candidates.set(line, candidateFor({ pageUrl: url, library, version }, weaknesses));
      }
    }
    return [...candidates.values()];
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const step = (url: string, note: string): Step => ({
      browser: { url },
      note,
      expect: [
        claim(
          'browser:libraries',
          'matches',
          `(?m)^${escapePattern(`${data.library} ${data.version}`)}$`,
          'It says so itself.',
        ),
      ],
    });
    return {
      steps: [step(data.pageUrl, 'The library that runs in the page has this version.')],
      control: [step('data:text/html,<p>An empty page</p>', 'A page without it is not taken to have it.')],
    };
  },

  explain: {
    description:
      'A page runs a version of a library for which weaknesses are published. The version is what the library itself says in a browser; whether the page uses the weak part was not tried, and a version that somebody repaired without changing its number looks the same.',
    impact:
      'Most such weaknesses let input that the library handles become script: where the page gives it text from addresses, messages or other users, that script acts in the name of the visitor.',
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
  return different.slice(0, maxPages);
}

function candidateFor(data: Running, weaknesses: readonly KnownWeakness[]): Candidate<Running> {
  const ids = [...new Set(weaknesses.map(({ id }) => id))];
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : '';
  return {
    location: { url: data.pageUrl },
    route: `/{library} ${data.library}`,
    detail: `The page runs ${data.library} ${data.version}, which has ${ids.slice(-maxNamed).join(', ')}${more}.`,
    data,
  };
}
