import { claim, type Step } from '../../../proof/experiment.ts';
import { type Candidate, type CheckContext, defineCheck, notApplicable } from '../../contract.ts';
import { isHtml } from '../../support/html.ts';
import { inParallel } from '../../support/parallel.ts';
import {
  isPinnedLibrary,
  isThirdParty,
  loadedScripts,
  type ScriptElement,
  tagPattern,
} from '../../support/third-party.ts';

type Unpinned = { pageUrl: string; scripts: ScriptElement[] };

const maxPages = 40;
/** Scripts that one proof names. */
const maxScripts = 8;

/** A library is loaded from somebody else's host without a hash of it. Source: Subresource Integrity, CWE-353. */
export const integrityMissing = defineCheck<Unpinned>({
  id: 'client.integrity-missing',
  title: 'Scripts from other hosts are loaded without a check of their integrity',
  cwe: 353,
  owasp: 'A08:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const pages = context.surface.pages.filter(
      ({ url, status, scripts }) =>
        status === 200 && scripts.some((script) => script.url && isLibraryOfOthers(script.url, url)),
    );
    if (pages.length === 0) return notApplicable('No page loads a library from a host of libraries.');
    const shortestFirst = pages.toSorted((a, b) => a.url.length - b.url.length).slice(0, maxPages);
    const looked = await inParallel(shortestFirst, 4, ({ url }) => look(context, url));
    return withNewScripts(looked);
  },

  confirm: (_context, { data }) => {
    const [first] = data?.scripts ?? [];
    if (!data || !first) return undefined;
    const step = (patterns: string[], note: string): Step => ({
      http: { url: data.pageUrl },
      note,
      expect: [claim('status', 'equals', '200'), ...patterns.map((pattern) => claim('body', 'matches', pattern))],
    });
    return {
      steps: [
        step(
          data.scripts.map(({ tag }) => tagPattern(tag)),
          'The page has these elements, without the attribute "integrity".',
        ),
      ],
      control: [
        step(
          [tagPattern(first.tag.replace(/\s{0,9}\/?>$/, ' integrity="sha384-'))],
          'The first of them with the attribute is not in the page.',
        ),
      ],
    };
  },

  explain: {
    description:
      'A page runs a script that lies on a host of somebody else, and does not say which content it expects. The file is one fixed version of a library, so its content never has to change.',
    impact:
      'Whoever can change the file at that host, or who takes over the host, runs script in your pages with everything that your visitors may do there. That has happened to hosts of libraries (polyfill.io in 2024).',
    remedy:
      'Serve the file yourself, from your build (`npm install jquery`), or pin its content: `<script src="https://code.jquery.com/jquery-3.7.1.min.js" integrity="sha384-…" crossorigin="anonymous"></script>`. The hash: `curl -s URL | openssl dgst -sha384 -binary | base64`; hosts of libraries show it beside the address. Let the Content-Security-Policy name only the hosts that you need.',
    references: [
      'Subresource Integrity: https://www.w3.org/TR/SRI/',
      'CWE-353: https://cwe.mitre.org/data/definitions/353.html',
      'MDN: https://developer.mozilla.org/en-US/docs/Web/Security/Subresource_Integrity',
    ],
  },
});

const isLibraryOfOthers = (url: string, pageUrl: string): boolean => isThirdParty(url, pageUrl) && isPinnedLibrary(url);

async function look({ http }: CheckContext, pageUrl: string): Promise<Unpinned> {
  const exchange = await http.get(pageUrl);
  const scripts = isHtml(exchange) ? loadedScripts(exchange.text, pageUrl) : [];
  return {
    pageUrl,
    scripts: scripts.filter(({ url, integrity }) => isLibraryOfOthers(url, pageUrl) && integrity.trim() === ''),
  };
}

/** The layout of a site repeats its scripts on every page: a page counts for those that none before it had. */
function withNewScripts(looked: readonly Unpinned[]): Candidate<Unpinned>[] {
  const seen = new Set<string>();
  return looked.flatMap(({ pageUrl, scripts: all }) => {
    const scripts = all.filter(({ url }) => !seen.has(url)).slice(0, maxScripts);
    for (const { url } of scripts) seen.add(url);
    const names = scripts.map(({ url }) => url).join(', ');
    const detail = `The page loads ${names} without a hash.`;
    return scripts.length === 0
      ? []
      : [{ location: { url: pageUrl }, route: '/{integrity}', detail, data: { pageUrl, scripts } }];
  });
}
