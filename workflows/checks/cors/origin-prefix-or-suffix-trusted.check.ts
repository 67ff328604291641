import { parse } from 'tldts';
import type { Candidate } from '../../model/candidate.ts';
import { unlessLeftOut } from '../../probe/errors.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { corsPlaces, originExperiment, speaksOfOrigins, trusts, uncached, visitorsPlace } from '../sessions/cors.ts';
import { namedDomains } from './named-domains.ts';

/** An origin that looks like one of the site's to a careless comparison. `template` has a nonce in it. */
type Lookalike = { template: string; mistake: string };
type TrustedLookalike = { url: string; lookalike: Lookalike };

/** Answers with credentials may be read by origins that only begin or end like the site's. Source: CWE-942, CWE-185. */
export const originPrefixOrSuffixTrusted = defineCheck<TrustedLookalike>({
  id: 'cors.origin-prefix-or-suffix-trusted',
  title: 'CORS: origin validated by prefix or suffix only',
  cwe: 942,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  visitors: 'each',

  async detect(context) {
    const host = context.surface.host.replace(/\.$/, '').toLowerCase();
    const { domain } = parse(host, { allowPrivateDomains: true });
    const places = corsPlaces(context, context.surface);
    if (places.length === 0) return notApplicable('No address gave an answer to look at.');
    const candidates: Candidate<TrustedLookalike>[] = [];
    for (const url of places) {
      const lookalike = await unlessLeftOut(() =>
        trusted(context, url, async () => [
          ...lookalikesOf(host, domain, new URL(url).protocol),
          ...(await namedDomains(context, url, domain)).flatMap(lookalikesOfNamed),
        ]),
      );
      if (lookalike) candidates.push(candidateFor(context, url, lookalike));
    }
    return candidates;
  },

  confirm: (_context, { data }) =>
    data &&
    originExperiment(
      data.url,
      data.lookalike.template,
      'An origin that anybody can register may read the answer, with credentials.',
    ),

  explain: {
    description:
      'The server decides by a part of the Origin header who may read its answers together with requests that carry cookies: by how it begins or ends, or by a pattern in which a dot stands for any character. Domains that anybody can register pass that comparison; one that has nothing to do with the site does not.',
    impact:
      'An attacker registers such a domain. A page there, opened by a visitor, asks the site with their cookies and reads the answer: whatever the address shows them, and the tokens with which their session can be used further. Where the session cookie is SameSite=Lax or Strict, the browser leaves it out of such requests; sessions with SameSite=None, HTTP authentication and client certificates are exposed.',
    sends:
      'Requests up to 40 addresses, one for each part of the site, with the site’s own origin, a random one, and random origins that begin or end like the site’s host or a domain that its pages name.',
    proves:
      'The answer allows, with credentials, an origin that anybody can register; an unrelated origin is not allowed. Shows a configuration; no answer to a logged-in user was read. Info where the site knows no visitors.',
    remedy:
      'Compare Origin as a whole with a list: `const allowed = new Set(["https://app.example.com"]); if (allowed.has(origin)) …`. Where subdomains have to pass, parse it and compare the host: `host === "example.com" || host.endsWith(".example.com")`, with the dot, and only https. In patterns, anchor both ends and escape the dots: `^https://([a-z0-9-]+\\.)?example\\.com$`. Never use startsWith, endsWith without a dot, includes or indexOf. Send `Vary: Origin`.',
    references: [
      'Fetch Standard, CORS: https://fetch.spec.whatwg.org/#http-cors-protocol',
      'PortSwigger Research, Exploiting CORS misconfigurations: https://portswigger.net/research/exploiting-cors-misconfigurations-for-bitcoins-and-bounties',
      'WSTG-CLNT-07: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/07-Testing_Cross_Origin_Resource_Sharing',
      'CWE-942: https://cwe.mitre.org/data/definitions/942.html',
    ],
  },
});

/**
 * Those that anybody can register; ".example" stands for any domain. What ends with the host may still be a sibling of it,
 * which belongs to the same owner, so endings are those of the registered domain. A host that is no name below one has none.
 */
function lookalikesOf(host: string, domain: string | null, scheme: string): Lookalike[] {
  const names = [...new Set([host, domain ?? host])];
  const below = domain === null || host === domain ? '' : host.slice(0, -domain.length - 1);
  return [
    ...(domain === null ? [] : [{ template: `${scheme}//‹nonce2›${domain}`, mistake: `ends with ${domain}` }]),
    ...names.map((name) => ({ template: `${scheme}//${name}.‹nonce2›.example`, mistake: `begins with ${name}` })),
    ...['-', '_'].map((char) => ({
      template: `${scheme}//${host}${char}‹nonce2›.example`,
      mistake: `begins with ${host} and "${char}"`,
    })),
    ...(below ? [{ template: `${scheme}//${below}x${domain}`, mistake: 'has any character where a dot belongs' }] : []),
  ];
}

/** Of a domain that a page names: its pages are served by HTTPS. */
const lookalikesOfNamed = (domain: string): Lookalike[] => [
  { template: `https://‹nonce2›${domain}`, mistake: `ends with ${domain}` },
  { template: `https://${domain}.‹nonce2›.example`, mistake: `begins with ${domain}` },
];

/** The first that is trusted; asked only where the answer depends on the origin at all, and does not trust every one. */
async function trusted(
  { http, nonce }: CheckContext,
  url: string,
  lookalikes: () => Promise<Lookalike[]>,
): Promise<Lookalike | undefined> {
  const ask = (as: string) => http.get(uncached(url, nonce()), { headers: [['Origin', as]] });
  if (!speaksOfOrigins(await ask(new URL(url).origin))) return undefined;
  const foreign = `https://${nonce()}.example`;
  if (trusts(await ask(foreign), foreign)) return undefined;
  for (const lookalike of await lookalikes()) {
    const asked = lookalike.template.replaceAll('‹nonce2›', nonce());
    if (trusts(await ask(asked), asked)) return lookalike;
  }
  return undefined;
}

const candidateFor = (context: CheckContext, url: string, lookalike: Lookalike): Candidate<TrustedLookalike> => ({
  ...visitorsPlace(context, url),
  detail: `Every origin is trusted that ${lookalike.mistake}.`,
  data: { url, lookalike },
});
