import type { Candidate } from '../../model/candidate.ts';
import { claim, type Step } from '../../model/experiment.ts';
import { baseUrlOf } from '../../probe/html/base.ts';
import type { HtmlElement } from '../../probe/html/parse.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { pagesAtMost } from '../inputs/at-most.ts';
import { lookAtPages } from '../pages/look-at-pages.ts';
import { addressesInStyle, createSheetReader, type StyleAddresses } from './style-sheets.ts';
import { loadedStyles } from './third-party.ts';

/** An element that would load over http, and markup of the same kind for a page of our own. */
type Insecure = { pageUrl: string; url: string; markup: string };

const maxPages = 60;

/** A page over HTTPS loads active content over http. Source: W3C Mixed Content §5, CWE-319. */
export const mixedContent = defineCheck<Insecure>({
  id: 'client.mixed-content',
  title: 'Mixed content',
  cwe: 319,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const pages = context.surface.pages
      .filter(({ url, status, contentType }) => url.startsWith('https:') && status < 400 && /html/.test(contentType))
      .toSorted((a, b) => a.url.length - b.url.length);
    if (pages.length === 0) return notApplicable('No page was seen over HTTPS.');
    const readSheets = createSheetReader(context);
    const looked = await lookAtPages(context, pagesAtMost(context, pages, maxPages), ({ url }) =>
      look(context, url, readSheets),
    );
    // The layout of a site repeats it on every page: one page shows it.
    const candidates = [
      ...new Map(
        looked
          .flat()
          .toReversed()
          .map((each) => [each.data?.url, each]),
      ).values(),
    ];
    const unavailable = candidates.length > 0 ? await context.browser.unavailable() : undefined;
    return unavailable === undefined ? candidates.toReversed() : notRun('browser_unavailable', unavailable);
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const step = (url: string, note: string): Step => ({
      browser: { url },
      note,
      expect: [claim('browser:mixed-content', 'matches', `(?m)^blocked ${escapePattern(data.url)}$`)],
    });
    return {
      steps: [step(data.pageUrl, 'A browser refuses what the page wants to load in the clear.')],
      control: [
        step(
          `data:text/html,${encodeURIComponent(data.markup)}`,
          'The same element on a page that does not come over HTTPS is not mixed content.',
        ),
      ],
    };
  },

  explain: {
    description:
      'A page that comes over HTTPS names a script, style, font or frame by an http address. Browsers of today refuse to load it; those that do not, and programs that embed pages, load it in the clear.',
    impact:
      'Somebody on the way could put script of their own into the page where it is loaded. Where it is refused, the part of the page that needs it does not work, and people are tempted to open the page over http.',
    sends:
      'Requests up to 60 HTTPS pages and their style sheets; opens in a browser the pages that name active content over http.',
    proves:
      'A real browser blocks the file that the page names over http; the same element on a page that is not HTTPS is not blocked. That part of the page is missing; only a client that does not block it could be attacked.',
    remedy:
      'Write the address with https, or serve the file yourself: `<script src="/js/widget.js">`. Search templates, style sheets and stored content for "http://". As a net below it, send `Content-Security-Policy: upgrade-insecure-requests`, with which browsers ask for https by themselves.',
    references: [
      'W3C Mixed Content: https://www.w3.org/TR/mixed-content/',
      'CWE-319: https://cwe.mitre.org/data/definitions/319.html',
      'MDN: https://developer.mozilla.org/en-US/docs/Web/Security/Mixed_content',
    ],
  },
});

async function look(
  { http }: CheckContext,
  pageUrl: string,
  readSheets: ReturnType<typeof createSheetReader>,
): Promise<Candidate<Insecure>[]> {
  const exchange = await http.get(pageUrl);
  if (!isHtml(exchange)) return [];
  const { text } = exchange;
  const base = baseUrlOf(text, pageUrl);
  const inPage = /http:\/\//i.test(text)
    ? [...nodesOf(text)].filter(isElement).flatMap((element) => insecureIn(element, base))
    : [];
  const linked = loadedStyles(text, pageUrl).map(({ url }) => url);
  const sheets = await readSheets(linked, new URL(pageUrl).origin);
  const inSheets = sheets.flatMap((sheet) =>
    insecureOf(namedIn(sheet), sheet.url).map((found) => ({ ...found, from: `style sheet ${sheet.url} of the page` })),
  );
  return [...inPage.map((found) => ({ ...found, from: 'page' })), ...inSheets].map(({ from, ...found }) => ({
    location: { url: pageUrl },
    route: '/{mixed-content}',
    detail: `The ${from} wants to load ${found.url}.`,
    data: { pageUrl, ...found },
  }));
}

type InsecureAddress = Omit<Insecure, 'pageUrl'>;

const insecureIn = (element: HtmlElement, base: string): InsecureAddress[] =>
  insecureOf(element.tagName === 'style' ? namedIn(addressesInStyle(textOf(element))) : addressIn(element), base);

/** What browsers block. Pictures and sound they ask for over https by themselves. Source: Mixed Content §3.1. */
function insecureOf(named: readonly MixedAddress[], base: string): InsecureAddress[] {
  return named.flatMap(([address, markup]) => {
    const url = URL.parse(address, base);
    if (url?.protocol !== 'http:' || isLocal(url.hostname)) return [];
    return [{ url: url.href, markup: markup.replace('‹›', url.href.replaceAll('&', '&amp;').replaceAll('"', '%22')) }];
  });
}

type MixedAddress = [address: string, markup: string];

function addressIn(element: HtmlElement): MixedAddress[] {
  const [name, markup] = activeElements[element.tagName] ?? [];
  if (name === undefined || markup === undefined) return [];
  if (element.tagName === 'link' && !/\bstylesheet\b/i.test(attributeOf(element, 'rel') ?? '')) return [];
  const address = attributeOf(element, name)?.trim();
  return address ? [[address, markup]] : [];
}

const namedIn = ({ imports, fonts }: StyleAddresses): MixedAddress[] => [
  ...imports.map((address): MixedAddress => [address, '<style>@import "‹›";</style>']),
  ...fonts.map(
    (address): MixedAddress => [
      address,
      '<style>@font-face { font-family: f; src: url("‹›") }</style><p style="font-family: f">f</p>',
    ],
  ),
];

const textOf = ({ childNodes }: HtmlElement): string =>
  childNodes.map((node) => ('value' in node ? node.value : '')).join('');

const activeElements: Record<string, readonly [attribute: string, markup: string]> = {
  script: ['src', '<script src="‹›"></script>'],
  link: ['href', '<link rel="stylesheet" href="‹›">'],
  iframe: ['src', '<iframe src="‹›"></iframe>'],
  embed: ['src', '<embed src="‹›">'],
  object: ['data', '<object data="‹›"></object>'],
};

/** Source: Secure Contexts §3.1. */
const isLocal = (host: string): boolean => /^(?:127\.|\[::1\]$|(?:.*\.)?localhost$)/.test(host);
