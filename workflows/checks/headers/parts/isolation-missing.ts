import type { Candidate } from '../../../model/candidate.ts';
import { type Assertion, claim } from '../../../model/experiment.ts';
import type { Exchange } from '../../../model/http.ts';
import type { PageSurface } from '../../../model/surface.ts';
import { defineCheck, notApplicable } from '../../contract.ts';
import { fewPlaces, headerPlace, htmlPages, valuesOf } from '../../pages/html-pages.ts';
import { keepsState } from '../../sessions/visitor-state.ts';
import { headerExperiment } from '../header-experiment.ts';

const opener = 'cross-origin-opener-policy';
const resource = 'cross-origin-resource-policy';

/** What browsers know; with anything else, a list too, they do as if the header were absent. */
const known: Record<string, RegExp> = {
  // HTML Standard §7.1.3.1: a structured header, whose parameters do not matter.
  [opener]: /^[ \t]*(?:unsafe-none|same-origin(?:-allow-popups)?|noopener-allow-popups)[ \t]*(?:;[^,]*)?$/,
  // Fetch Standard §3.7.
  [resource]: /^[ \t]*(?:same-origin|same-site|cross-origin)[ \t]*$/,
};

/** Pages of a site with state do not part from pages of other sites. Source: HTML Standard §7.1.3, Fetch Standard §3.7. */
export const isolationMissing = defineCheck({
  id: 'headers.isolation-missing',
  title: 'Missing cross-origin isolation headers (COOP, CORP)',
  cwe: 693,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  detect(context) {
    const pages = htmlPages(context.surface);
    if (pages.length === 0) return notApplicable('The site shows no HTML page.');
    if (!keepsState(context))
      return notApplicable(
        'The site knows nothing of its visitors: neither a session nor a form that changes something.',
      );
    const candidates = pages.flatMap((page) =>
      candidateFor(
        page,
        missingFrom(page.url, (name) => valuesOf(page, name)),
      ),
    );
    return fewPlaces(context, candidates);
  },

  confirm: ({ http }, { location }) =>
    headerExperiment(http, location.url, 'The page does not part from pages of other sites.', claimsOn),

  explain: {
    description:
      'The site keeps sessions or takes orders from its visitors, and its pages do not ask browsers to keep them apart from pages of other sites: a page that opens one in a window keeps a handle on it (Cross-Origin-Opener-Policy), or other sites may load it as if it were a picture or a script of theirs (Cross-Origin-Resource-Policy). A value that is set, "unsafe-none" or "cross-origin" too, counts as chosen.',
    impact:
      'Nothing by itself. Other sites that a visitor opens can detect by the window or by loading times whether they are signed in or what a search found (XS-Leaks), lead the window elsewhere, and have the content in their own process, where flaws of processors (Spectre) can read it.',
    sends: 'Requests up to three of the seen pages again.',
    proves:
      'The page has no COOP or CORP header that browsers know; a header of the same answer is not taken for absent. Shows a configuration; no attack was made.',
    remedy:
      'Send `Cross-Origin-Opener-Policy: same-origin` (`same-origin-allow-popups` when the site signs visitors in by a pop-up of another site) and `Cross-Origin-Resource-Policy: same-origin` with pages and answers of the API; files that other sites shall embed get `cross-origin`. nginx: `add_header Cross-Origin-Opener-Policy "same-origin" always;`. Express: `helmet()` sets both. Django: `SECURE_CROSS_ORIGIN_OPENER_POLICY` (same-origin by default).',
    references: [
      'HTML Standard, cross-origin opener policies: https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies',
      'Fetch Standard, Cross-Origin-Resource-Policy: https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header',
      'XS-Leaks Wiki: https://xsleaks.dev/docs/defenses/opt-in/coop/',
      'CWE-693: https://cwe.mitre.org/data/definitions/693.html',
    ],
  },
});

/** Which of the two say nothing. Browsers heed the first over HTTPS only. */
function missingFrom(url: string, values: (name: string) => readonly string[]): string[] {
  const expected = url.startsWith('https:') ? [opener, resource] : [resource];
  return expected.filter((name) => !known[name]?.test(values(name).join(', ')));
}

function candidateFor(page: PageSurface, missing: readonly string[]): Candidate[] {
  if (missing.length === 0) return [];
  const named = (names: readonly string[]) =>
    names.map((name) => name.replace(/\b[a-z]/g, (char) => char.toUpperCase())).join(', ');
  const unknown = missing.filter((name) => valuesOf(page, name).length > 0);
  const absent = missing.filter((name) => !unknown.includes(name));
  const details = [
    ...(absent.length > 0 ? [`Absent: ${named(absent)}.`] : []),
    ...(unknown.length > 0 ? [`With a value that browsers do not know: ${named(unknown)}.`] : []),
  ];
  return [{ ...headerPlace(page.url, 'Cross-Origin-*'), detail: details.join(' ') }];
}

function claimsOn(exchange: Exchange): Assertion[] | undefined {
  const missing = missingFrom(exchange.request.url, (name) => exchange.headerValues(name));
  return missing.length === 0
    ? undefined
    : missing.map((name) => {
        const values = exchange.headerValues(name);
        return values.length === 0
          ? claim(`header:${name}`, 'absent')
          : claim(`headers:${name}`, 'equals', values.join('\n'), 'Browsers do not know this value.');
      });
}
