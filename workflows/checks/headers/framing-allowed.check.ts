import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type Experiment } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import { cspHeader } from '../pages/csp.ts';
import { fewPlaces, oneSetting } from '../pages/html-pages.ts';

/** Pages with forms that are looked at. */
const maxLooks = 10;

/** A page with a form that changes something may be shown in a frame of any other site. Source: CWE-1021, WSTG-CLNT-09. */
export const framingAllowed = defineCheck({
  id: 'headers.framing-allowed',
  title: 'Clickjacking: pages can be framed',
  cwe: 1021,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 30,

  async detect(context) {
    const { surface, http, browser } = context;
    const urls = new Set(surface.forms.filter(({ method }) => method === 'POST').map(({ pageUrl }) => pageUrl));
    if (urls.size === 0) return notApplicable('No page has a form that changes something.');
    const ordered = [...urls].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
    const candidates: Candidate[] = [];
    for (const url of sample(context, ordered, maxLooks, 'pages with forms', oneSetting)) {
      if (isUndefended(await http.get(url))) candidates.push({ location: { url }, route: '/' });
    }
    const unavailable = candidates.length > 0 ? await browser.unavailable() : undefined;
    return unavailable === undefined ? fewPlaces(context, candidates) : notRun('browser_unavailable', unavailable);
  },

  async confirm({ http }, { location: { url } }) {
    const exchange = await http.get(url, { fresh: true });
    return isUndefended(exchange) ? experimentFor(url, exchange) : undefined;
  },

  explain: {
    description:
      'Pages with forms do not say who may show them in a frame, neither by frame-ancestors in a Content-Security-Policy nor by X-Frame-Options. A browser showed one inside a page of another origin.',
    impact:
      'A hostile page can put the site, invisible, over something that is worth a click, and so lead a visitor to press its buttons and fill its forms without knowing. Where the session cookie is not sent into frames of other sites (SameSite=Lax, the default of Chromium), that works for what needs no session.',
    sends: 'Requests up to 10 pages with POST forms, and opens them in a frame of a page of our own in a browser.',
    proves:
      'A real browser shows the page in a frame of another origin; where frames are forbidden it does not. An attacker can lay the page under theirs. No click was led to a form, and no session was used.',
    remedy:
      "Send `Content-Security-Policy: frame-ancestors 'self'` (or 'none', or the sites that shall embed it), and `X-Frame-Options: SAMEORIGIN` for old browsers. ALLOW-FROM is not known to any current browser. nginx: `add_header Content-Security-Policy \"frame-ancestors 'self'\" always;`. Apache: `Header always append Content-Security-Policy \"frame-ancestors 'self'\"`. Express: `helmet()`. Django: XFrameOptionsMiddleware, which new projects have. Spring Security has it by default. In a meta element both are ignored.",
    references: [
      'CSP Level 3, frame-ancestors: https://www.w3.org/TR/CSP3/#directive-frame-ancestors',
      'OWASP Clickjacking Defense Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Clickjacking_Defense_Cheat_Sheet.html',
      'WSTG-CLNT-09: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/09-Testing_for_Clickjacking',
      'CWE-1021: https://cwe.mitre.org/data/definitions/1021.html',
    ],
  },
});

/** Says that every site may frame the page: the site has decided so. */
const isInvited = (value: string): boolean => /^\s*allowall\s*$/i.test(value);
const isRefused = (value: string): boolean => /^\s*(?:deny|sameorigin)\s*$/i.test(value);

/** Nobody decided about frames, and the page has no script that looks whether it is in one. */
function isUndefended(exchange: Exchange): boolean {
  if (exchange.status !== 200 || !isHtml(exchange)) return false;
  if (exchange.headerValues(cspHeader).some((value) => /(?:^|[;,])\s*frame-ancestors\b/i.test(value))) return false;
  const options = exchange.headerValues('x-frame-options').flatMap((value) => value.split(','));
  return !options.some((value) => isInvited(value) || isRefused(value)) && !frameBuster.test(exchange.text);
}

/** `if (top !== self)`, `window.top.location`, `parent != window`, … */
const frameBuster =
  /\b(?:top|parent|self|window)\s*[!=]==?\s*(?:window\s*\.\s*)?(?:top|self|parent|window)\b|\btop\s*\.\s*location|\bframeElement\b/;

/** Frames the page in a page of ours, whose origin is no site's. The control may not frame anything. */
function experimentFor(url: string, exchange: Exchange): Experiment {
  const framing = (head: string) => ({
    browser: {
      url: `data:text/html,${encodeURIComponent(`${head}<iframe src="${url.replaceAll('"', '%22')}"></iframe>`)}`,
    },
  });
  const shown = [claim('browser:frames', 'matches', `(?m)^${escapePattern(new URL(url).origin)}/`)];
  return {
    steps: [
      {
        http: { url },
        note: 'The page does not say who may frame it.',
        expect: [
          claim('status', 'equals', '200'),
          noneOf(exchange, cspHeader, '(?i)(?:^|[;,\\n])\\s*frame-ancestors'),
          noneOf(exchange, 'x-frame-options', '(?i)(?:^|[,\\n])\\s*(?:deny|sameorigin|allowall)\\s*(?:[,\\n]|$)'),
        ],
      },
      { ...framing(''), note: 'A browser shows it in a frame of a page of another origin.', expect: shown },
    ],
    control: [
      {
        ...framing(`<meta http-equiv="Content-Security-Policy" content="frame-src 'none'">`),
        note: 'Where frames are forbidden, the same browser does not.',
        expect: shown,
      },
    ],
  };
}

/** The header is absent, or says nothing of frames. */
const noneOf = (exchange: Exchange, name: string, pattern: string): Assertion =>
  exchange.header(name) === undefined
    ? claim(`header:${name}`, 'absent')
    : claim(`headers:${name}`, 'not-matches', pattern);
