import type { Candidate } from '../../../model/candidate.ts';
import { type Assertion, claim } from '../../../model/experiment.ts';
import type { Exchange } from '../../../model/http.ts';
import { defineCheck, notApplicable } from '../../contract.ts';
import { samplePages } from '../../inputs/at-most.ts';
import { fewPlaces, headerPlace, htmlPages, oneSetting } from '../../pages/html-pages.ts';
import { lookAtPages } from '../../pages/look-at-pages.ts';
import { headerExperiment } from '../header-experiment.ts';
import { readReferrerPolicy } from '../referrer-policy.ts';

/** Pages that are read for a policy in their markup. */
const maxLooks = 10;
/** Without a policy, today's browsers send other sites the origin only. Source: Referrer Policy §3, since 2021 in all of them. */
const absent = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:N';

/** Nothing keeps the whole address of a page from other sites. Source: Referrer Policy, W3C. */
export const referrerPolicyMissing = defineCheck({
  id: 'headers.referrer-policy-missing',
  title: 'Missing Referrer-Policy',
  cwe: 200,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const { surface, http } = context;
    const pages = htmlPages(surface);
    if (pages.length === 0) return notApplicable('The site shows no HTML page.');
    const looked = samplePages(context, pages, maxLooks, oneSetting);
    const found = await lookAtPages(context, looked, async ({ url }): Promise<Candidate[]> => {
      const policy = readReferrerPolicy(await http.get(url));
      if (policy.kind === 'protective') return [];
      const isAbsent = policy.kind === 'absent';
      const detail = isAbsent
        ? 'No policy is set, so that each browser uses its own default.'
        : `The policy is ${policy.name}, which is laxer than the default of browsers.`;
      return [{ ...headerPlace(url, 'Referrer-Policy'), detail, ...(isAbsent ? { cvss: absent } : {}) }];
    });
    // What is set wrongly says more than what is not set.
    return fewPlaces(
      context,
      found.flat().toSorted((a, b) => Number('cvss' in a) - Number('cvss' in b)),
    );
  },

  confirm: ({ http }, { location }) =>
    headerExperiment(http, location.url, 'The page does not limit what other sites learn of its address.', claimsOn),

  explain: {
    description:
      'Pages do not say how much of their address a browser sends to other sites (in the Referer header) when a visitor follows a link or the page loads something from there; or they say that it may be all of it. Without a policy, current browsers send the origin only; older ones and some embedded ones send everything.',
    impact:
      'Other sites (link targets, advertising, analytics, fonts) learn the whole address of the page that the visitor was on: search words, identifiers, and the tokens that password-reset and share links carry.',
    sends: 'Requests up to 10 of the seen pages again.',
    proves:
      'Neither header nor markup set a policy, or they set one that is laxer than the default of browsers; a header of the same answer is not taken for absent. Shows a configuration; no attack was made.',
    remedy:
      'Send `Referrer-Policy: strict-origin-when-cross-origin` with every page, or `no-referrer` for pages whose address is secret in itself. nginx: `add_header Referrer-Policy "strict-origin-when-cross-origin" always;`. Apache: `Header always set Referrer-Policy "strict-origin-when-cross-origin"`. Express: `helmet()`. Django: `SECURE_REFERRER_POLICY`. Take out `<meta name="referrer">` elements that say otherwise: they override the header.',
    references: [
      'Referrer Policy: https://www.w3.org/TR/referrer-policy/',
      'MDN: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Referrer-Policy',
      'CWE-200: https://cwe.mitre.org/data/definitions/200.html',
    ],
  },
});

const header = 'referrer-policy';

function claimsOn(exchange: Exchange): Assertion[] | undefined {
  const policy = readReferrerPolicy(exchange);
  if (policy.kind === 'protective') return undefined;
  const values = exchange.headerValues(header);
  if (policy.kind === 'lax' && policy.from === 'markup')
    return [claim('body', 'matches', metaPattern(policy.written), 'The markup sets it.')];
  const said = values.length === 0 ? claim(`header:${header}`, 'absent') : equals(values);
  return [said, claim('body', 'not-matches', metaPattern('[a-z]'), 'The markup says nothing else.')];
}

const equals = (values: readonly string[]): Assertion => claim(`headers:${header}`, 'equals', values.join('\n'));

/** The two attributes may come in either order. */
const metaPattern = (content: string): string => {
  const [name, value] = ['name\\s*=\\s*["\']?\\s*referrer\\b', `content\\s*=\\s*["']?\\s*${content}`];
  return `(?i)<meta\\s(?:[^>]*\\s)?(?:${name}[^>]*\\s${value}|${value}[^>]*\\s${name})`;
};
