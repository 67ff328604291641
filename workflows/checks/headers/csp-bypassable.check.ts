import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment } from '../../model/experiment.ts';
import type { PageSurface } from '../../model/surface.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import {
  type Bypass,
  bypassesOf,
  cspHeader,
  metaPolicies,
  policiesOf,
  repeatedNonceOf,
  separatePolicies,
} from '../pages/csp.ts';
import { foreignOrigin } from '../sessions/foreign-page.ts';

type WeakPolicy = { url: string; bypass: Bypass };

/** Different policies that are looked at; a site has a handful. */
const maxPolicies = 10;
/** Header lines of one answer that each trial reads again; where there are more, their policies are written out. */
const maxCaptured = 4;

/** An enforced Content-Security-Policy lets injected script run all the same. Source: CSP Level 3 §6.7, CWE-693. */
export const cspBypassable = defineCheck<WeakPolicy>({
  id: 'headers.csp-bypassable',
  title: 'Content Security Policy can be bypassed',
  cwe: 693,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const urls = pagesByPolicy(context);
    const candidates: Candidate<WeakPolicy>[] = [];
    let withPolicy = 0;
    for (const url of urls) {
      const policies = policiesOf(await context.http.get(url));
      if (policies.length > 0) withPolicy += 1;
      const [known] = bypassesOf(policies);
      const bypass = known ?? repeatedNonceOf(policies, policiesOf(await context.http.get(url, { fresh: true })));
      if (bypass) candidates.push(candidateFor(url, bypass));
    }
    if (withPolicy === 0) return notApplicable('No page has an enforced Content-Security-Policy.');
    const unavailable = candidates.length > 0 ? await context.browser.unavailable() : undefined;
    return unavailable === undefined ? candidates : notRun('browser_unavailable', unavailable);
  },

  async confirm({ http }, { data }) {
    if (!data) return undefined;
    const exchange = await http.get(data.url, { fresh: true });
    const lines = exchange.headerValues(cspHeader);
    // A list in one line is several policies, and a quote would end the attribute that a captured value is put into; a meta
    // element holds one policy. What is not captured is written out.
    const headers = lines.length > maxCaptured || lines.some((line) => /[,"]/.test(line)) ? [] : lines;
    const metas = [...(headers.length === 0 ? lines : []), ...metaPolicies(exchange.text)].flatMap(separatePolicies);
    return experimentFor(data, { captured: headers.length, written: metas, inHeader: lines.length > 0 });
  },

  explain: {
    description:
      'The site sends a Content-Security-Policy, but what it allows for scripts includes a way to run script that somebody else put into a page: a source, or a nonce that never changes.',
    impact:
      'The policy is there to contain cross-site scripting; with this gap an injection that it should stop runs as if there were no policy, while everybody believes that there is one.',
    sends:
      'Requests up to 10 pages with different policies, twice; opens pages of our own with the same policies in a browser. Nothing is injected into the site.',
    proves:
      "Under the page’s policies a real browser runs a script that an injection could add; with `script-src 'none'` beside them it does not. The policy stops no such injection. That one exists is not shown.",
    remedy:
      "Use a strict policy with a nonce that is new in every answer: `Content-Security-Policy: script-src 'nonce-{random}' 'strict-dynamic'; object-src 'none'; base-uri 'none'`, and put the nonce on the site's own script elements. Take out 'unsafe-inline', *, https: and data:, and hosts that offer libraries for everybody. Move event handlers from attributes to addEventListener. Try it first as Content-Security-Policy-Report-Only.",
    references: [
      'Content Security Policy Level 3: https://www.w3.org/TR/CSP3/',
      'CWE-693: https://cwe.mitre.org/data/definitions/693.html',
      'WSTG-CONF-12: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/12-Test_for_Content_Security_Policy',
      'Strict CSP: https://web.dev/articles/strict-csp',
    ],
  },
});

/**
 * One page for each policy, the shortest address first; and the first page, which may have its policy in its markup. Of an identity
 * only the policies that the visitors before it were not shown.
 */
function pagesByPolicy(context: CheckContext): string[] {
  const known = new Set((context.shownBefore ?? []).flatMap(({ pages }) => pages.filter(isShown).map(policyOf)));
  const pages = context.surface.pages
    .filter(isShown)
    .toSorted((a, b) => a.url.length - b.url.length || (a.url < b.url ? -1 : 1));
  const byPolicy = new Map<string, string>();
  for (const page of pages) {
    const policy = policyOf(page);
    if (!known.has(policy) && !byPolicy.has(policy)) byPolicy.set(policy, page.url);
  }
  return atMost(context, [...byPolicy.values()], maxPolicies, 'pages with a policy of their own');
}

const isShown = ({ status, contentType }: PageSurface): boolean => status < 400 && /html/i.test(contentType);

/** The policies in the headers of a page. */
const policyOf = ({ headers }: PageSurface): string =>
  headers
    .filter(([name]) => name.toLowerCase() === cspHeader)
    .map(([, value]) => shapeOf(value))
    .join('\n');

/** Nonces and hashes change with the page; the policy is the same. */
const shapeOf = (policy: string): string => policy.replace(/'(nonce|sha256|sha384|sha512)-[^']*'/g, "'$1'");

const candidateFor = (url: string, bypass: Bypass): Candidate<WeakPolicy> => ({
  location: { url, parameter: 'Content-Security-Policy', parameterIn: 'header' },
  detail: `The policy allows ${bypass.cause}.`,
  data: { url, bypass },
});

/** How the policies of a page get onto the page of the experiment. */
type CspPolicies = {
  /** Header lines, read again in each trial: their nonces are new each time. */
  captured: number;
  written: readonly string[];
  inHeader: boolean;
};

/**
 * Reads the policies of a fresh answer, then puts them on a page of our own that holds what an injection would add:
 * a real browser decides. Nothing is injected into the site.
 */
function experimentFor({ url, bypass }: WeakPolicy, policies: CspPolicies): Experiment {
  const names = Array.from({ length: policies.captured }, (_, index) => `policy${index + 1}`);
  const page = [
    ...names.map((name) => meta(`‹${name}›`)),
    ...policies.written.map((policy) => meta(policy.replaceAll('"', '&quot;'))),
  ];
  // A source without a scheme has that of the page.
  const visit = (metas: readonly string[]) => ({
    browser: { url: `${foreignOrigin(url)}/`, page: `${metas.join('')}${bypass.markup}` },
  });
  const ran = [
    claim(bypass.shows.subject, 'contains', bypass.shows.text, 'The script was let through.'),
    claim('browser:csp', 'absent', '', 'The policy blocked nothing.'),
  ];
  return {
    steps: [
      {
        http: { url },
        note: policies.inHeader ? 'The page comes with these policies.' : 'The page has its policies in its markup.',
        expect: policies.inHeader
          ? [claim(`header:${cspHeader}`, 'present')]
          : [claim('body', 'matches', `(?i)${cspHeader}`)],
        capture: names.map((name, index) => ({
          name,
          subject: `headers:${cspHeader}`,
          pattern: `^(?:[^\\n]*\\n){${index}}([^\\n]+)`,
        })),
      },
      { ...visit(page), note: `Under these policies a browser runs ${bypass.cause}.`, expect: ran },
    ],
    control: [
      {
        ...visit([...page, meta("script-src 'none'")]),
        note: "With script-src 'none' beside them the same browser does not.",
        expect: ran,
      },
    ],
  };
}

const meta = (policy: string): string => `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
