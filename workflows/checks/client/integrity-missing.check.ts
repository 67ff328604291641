import type { Candidate } from '../../model/candidate.ts';
import { claim, type Step } from '../../model/experiment.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { pagesAtMost, widened } from '../inputs/at-most.ts';
import { byAddress, htmlPages } from '../pages/html-pages.ts';
import { lookAtPages } from '../pages/look-at-pages.ts';
import {
  isPinnedLibrary,
  isThirdParty,
  type LoadingElement,
  loadedScripts,
  loadedStyles,
  tagPattern,
} from './third-party.ts';

type Unpinned = { pageUrl: string; files: LoadingElement[] };

const maxPages = 60;
/** Files that one proof names; a page with more is proven in parts. */
const maxFiles = 8;
/** In a sentence. */
const maxNamed = 20;

/** A library is loaded from somebody else's host without a hash of it. Source: Subresource Integrity, CWE-353. */
export const integrityMissing = defineCheck<Unpinned>({
  id: 'client.integrity-missing',
  title: 'Missing Subresource Integrity (SRI)',
  cwe: 353,
  owasp: 'A08:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const pages = pagesAtMost(context, htmlPages(context.surface).toSorted(byAddress), widened(context, maxPages));
    if (pages.length === 0) return notApplicable('No page was seen.');
    return withNewFiles(await lookAtPages(context, pages, ({ url }) => look(context, url)));
  },

  confirm: (_context, { data }) => {
    const [first] = data?.files ?? [];
    if (!data || !first) return undefined;
    const step = (patterns: string[], note: string): Step => ({
      http: { url: data.pageUrl },
      note,
      expect: [claim('status', 'equals', '200'), ...patterns.map((pattern) => claim('body', 'matches', pattern))],
    });
    return {
      steps: [
        step(
          data.files.map(({ tag }) => tagPattern(tag)),
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
      'A page runs a script, or takes a style sheet, that lies on a host of somebody else, and does not say which content it expects. The file is one fixed version of a library, so its content never has to change.',
    impact:
      'Whoever can change the file at that host, or who takes over the host, runs script in your pages with everything that your visitors may do there; with a style sheet they change what the pages show, and read some of it. That has happened to hosts of libraries (polyfill.io in 2024).',
    sends: 'Requests seen pages again, 60 or as many as the budget allows. The hosts of the files get no request.',
    proves:
      'The page loads a library in a fixed version from a host of somebody else without `integrity`; the same element with it is not there. Shows a configuration; no attack was made.',
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
  const { text } = exchange;
  const files = isHtml(exchange) ? [...loadedScripts(text, pageUrl), ...loadedStyles(text, pageUrl)] : [];
  return {
    pageUrl,
    files: files.filter(({ url, integrity }) => isLibraryOfOthers(url, pageUrl) && integrity.trim() === ''),
  };
}

/** The layout of a site repeats its files on every page: a page counts for those that none before it had. */
function withNewFiles(looked: readonly Unpinned[]): Candidate<Unpinned>[] {
  const seen = new Set<string>();
  return looked.flatMap(({ pageUrl, files: all }) => {
    const files = all.filter(({ url }) => !seen.has(url));
    for (const { url } of files) seen.add(url);
    const parts = Array.from({ length: Math.ceil(files.length / maxFiles) }, (_, part) =>
      files.slice(part * maxFiles, (part + 1) * maxFiles),
    );
    return parts.map((part) => candidateFor({ pageUrl, files: part }, files));
  });
}

/** @param all files of the page, of which the proof names some */
function candidateFor(data: Unpinned, all: readonly LoadingElement[]): Candidate<Unpinned> {
  const names = all.slice(0, maxNamed).map(({ url }) => url);
  const more = all.length > maxNamed ? ` and ${all.length - maxNamed} more` : '';
  return {
    location: { url: data.pageUrl },
    route: '/{integrity}',
    detail: `The page loads ${names.join(', ')}${more} without a hash.`,
    data,
  };
}
