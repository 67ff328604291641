import type { Candidate } from '../../../model/candidate.ts';
import { type Assertion, claim } from '../../../model/experiment.ts';
import type { Exchange } from '../../../model/http.ts';
import { metaContents } from '../../../probe/html/metas.ts';
import { isHtml } from '../../../probe/http/document-type.ts';
import { firstMatch } from '../../../proof/pattern.ts';
import { type CheckContext, defineCheck, notApplicable } from '../../contract.ts';
import { samplePages } from '../../inputs/at-most.ts';
import { cspHeader, policiesOf, restrictsScripts } from '../../pages/csp.ts';
import { fewPlaces, headerPlace, htmlPages, oneSetting } from '../../pages/html-pages.ts';
import { lookAtPages } from '../../pages/look-at-pages.ts';
import { keepsState } from '../../sessions/visitor-state.ts';
import { headerExperiment } from '../header-experiment.ts';

/** Pages without a policy in their headers that are read for one in their markup. */
const maxLooks = 10;
/** Where there is neither a session nor a form, there is nothing that injected script could take. */
const withoutState = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:N';

/** Pages have no enforced Content-Security-Policy that says what script may run. Source: CSP Level 3 §6, CWE-693. */
export const cspMissing = defineCheck({
  id: 'headers.csp-missing',
  title: 'Missing Content Security Policy (CSP)',
  cwe: 693,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const pages = htmlPages(context.surface);
    if (pages.length === 0) return notApplicable('The site shows no HTML page.');
    const without = pages.filter(
      ({ headers }) => !headers.some(([name, value]) => name.toLowerCase() === cspHeader && restrictsAny([value])),
    );
    const looked = samplePages(context, without, maxLooks, oneSetting);
    const found = await lookAtPages(
      context,
      looked,
      async ({ url }): Promise<Candidate[]> =>
        claimsOn(await context.http.get(url)) ? [candidateFor(context, url)] : [],
    );
    return fewPlaces(context, found.flat());
  },

  confirm: ({ http }, { location }) =>
    headerExperiment(http, location.url, 'The page comes without a policy for its scripts.', claimsOn),

  explain: {
    description:
      'Pages come without an enforced Content-Security-Policy that limits scripts, neither as a header nor in the head of their markup. Policies that only report, that are only about frames or mixed content, or that stand in the body (where browsers ignore them) do not count.',
    impact:
      'Nothing by itself. When somebody finds a way to put script into a page (cross-site scripting), nothing stops it from running, reading what the visitor sees and sending it away. A policy is the second line that makes most of such injections harmless.',
    sends: 'Requests up to 10 of the seen pages that have no policy in their headers.',
    proves:
      'Neither headers nor markup have a policy for scripts; a header of the same answer is not taken for absent. Shows a configuration; no attack was made.',
    remedy:
      "Begin with `Content-Security-Policy-Report-Only: script-src 'nonce-{random}' 'strict-dynamic'; object-src 'none'; base-uri 'none'`, with a nonce that is new in every answer and stands on the site's own script elements; correct what is reported, then send it as Content-Security-Policy. Express: `helmet.contentSecurityPolicy`. Django 6: `ContentSecurityPolicyMiddleware` and `SECURE_CSP`. Rails: `config.content_security_policy`. Static sites: `script-src 'self'` with hashes, set in the web server. Next.js: the nonce in its middleware.",
    references: [
      'Content Security Policy Level 3: https://www.w3.org/TR/CSP3/',
      'Strict CSP: https://web.dev/articles/strict-csp',
      'OWASP Content Security Policy Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
      'CWE-693: https://cwe.mitre.org/data/definitions/693.html',
    ],
  },
});

const restrictsAny = (values: readonly string[]): boolean =>
  values.flatMap((value) => value.split(',')).some(restrictsScripts);

function candidateFor(context: CheckContext, url: string): Candidate {
  const place = headerPlace(url, 'Content-Security-Policy');
  return keepsState(context) ? place : { ...place, cvss: withoutState };
}

/** A page's scripts are unlimited; undefined when they are not, or when that cannot be claimed. */
function claimsOn(exchange: Exchange): Assertion[] | undefined {
  if (!isHtml(exchange) || policiesOf(exchange).some(restrictsScripts)) return undefined;
  const inMarkup = metaContents(exchange.text, cspHeader);
  if (inMarkup.some(restrictsScripts) && !isInBodyAlone(exchange.text)) return undefined;
  return [
    exchange.header(cspHeader) === undefined
      ? claim(`header:${cspHeader}`, 'absent')
      : claim(`headers:${cspHeader}`, 'not-matches', scriptDirective, 'The policy says nothing of scripts.'),
    ...markupClaims(inMarkup),
  ];
}

function markupClaims(inMarkup: readonly string[]): Assertion[] {
  if (inMarkup.length === 0) return [claim('body', 'not-matches', metaPolicy, 'The markup has no policy either.')];
  return inMarkup.some(restrictsScripts)
    ? [
        claim('body', 'matches', inBody, 'The markup has a policy in its body,'),
        claim('body', 'not-matches', inHead, 'where browsers ignore it, and none in its head.'),
      ]
    : [claim('body', 'not-matches', scriptPolicy, 'The policy in the markup says nothing of scripts, either.')];
}

const metaPolicy = '(?i)<meta[^>]*content-security-policy';
const scriptPolicy = '(?i)<meta[^>]*\\b(?:script-src|default-src|sandbox)\\b';
const inHead = '(?is)<meta[^>]*content-security-policy.*<body\\b';
const inBody = '(?is)<body\\b.*<meta[^>]*content-security-policy';

const isInBodyAlone = (html: string): boolean =>
  firstMatch(inBody, html) !== undefined && firstMatch(inHead, html) === undefined;

const scriptDirective = '(?i)(?:^|[;,\\n])\\s*(?:script-src|script-src-elem|default-src|sandbox)(?:[\\s;,]|$)';
