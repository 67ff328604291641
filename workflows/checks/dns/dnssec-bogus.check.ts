import type { Candidate } from '../../model/candidate.ts';
import type { DnssecVerdict } from '../../model/dns.ts';
import { claim } from '../../model/experiment.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { dnsLocation } from '../names/dns-records.ts';
import { isAbout, signableName, zoneClaim } from './dnssec.ts';

/** A question whose answer does not hold. `name` may have a nonce. */
type Bogus = { name: string; type: string; suffix: string; verdict: DnssecVerdict };

/** Only names that do not exist are concerned: visitors lose nothing, but a resolver may not believe that there is none. */
const absentNameOnly = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L';

/** The signatures of a domain are wrong, so validating resolvers refuse its answers. Source: RFC 4035 §5.5. */
export const dnssecBogus = defineCheck<Bogus>({
  id: 'dns.dnssec-bogus',
  title: 'Invalid DNSSEC signatures',
  cwe: 345,
  owasp: 'A08:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const own = await signableName(context);
    if ('notApplicable' in own) return own;
    const { host, domain, suffix } = own;
    const questions = [
      { name: domain, type: 'SOA', asked: domain },
      { name: host, type: 'A', asked: host },
      { name: `‹nonce›.${domain}`, type: 'A', asked: `${context.nonce()}.${domain}` },
    ];
    const all = await Promise.all(
      questions.map(async ({ name, type, asked }): Promise<Bogus> => {
        const { dnssec } = await context.dns.validate(asked, type);
        return { name, type, suffix, verdict: dnssec };
      }),
    );
    const found = all.filter(({ verdict }) => verdict.status === 'bogus' && isAbout(verdict, domain));
    if (found.length > 0) return found.map((bogus) => asCandidate(bogus, domain, found));
    const unknown = all.find(({ verdict }) => verdict.status === 'bogus' || verdict.status === 'indeterminate');
    if (unknown)
      return notRun('unclear', `The signatures could not be followed to ${domain}: ${unknown.verdict.reason}.`);
    const [head] = all;
    return head?.verdict.status === 'insecure' ? notApplicable(`${domain} is not signed: ${head.verdict.reason}.`) : [];
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { name, type, suffix, verdict } = data;
    return {
      steps: [
        {
          dns: { name, type },
          note: `The chain of signatures from the root to ${type} ${name} does not hold.`,
          expect: [claim('dns:dnssec', 'equals', 'bogus'), claim(...zoneClaim(verdict))],
        },
      ],
      control: [
        {
          dns: { name: suffix, type: 'SOA' },
          note: `By the same keys and the same clock, the zone above (${suffix}) is good.`,
          expect: [claim('dns:dnssec', 'not-equals', 'secure')],
        },
      ],
    };
  },

  explain: {
    description:
      'The zone above vouches for keys of the domain, and the answers of its name servers do not fit: a signature has ended, is missing or is not one of these keys, or the absence of a name is not proven. We validated the chain from the keys of the root down, by the answers of the zones’ own servers where these could be reached, and none of those that were asked gave a good answer.',
    impact:
      'Resolvers that validate (Google, Cloudflare, Quad9, those of many providers and companies: about a third of all users are behind one) answer SERVFAIL. For these visitors and mail servers the domain is gone, while it works for everybody else, so that the owner often hears of it last. Authorities that validate issue no certificates either. Those who switch validation off to get through lose what DNSSEC is for.',
    sends:
      'Nothing to the site: asks name servers for the domain’s SOA, the host’s address and a random name, and validates their signatures from the root.',
    proves:
      'The chain of signatures to the domain is broken, while the zone above validates by the same keys and clock. Validating resolvers refuse the answers, so their users do not reach the name.',
    remedy:
      'Sign the zone anew and see that it is done automatically (BIND: `dnssec-policy default;`, Knot: `dnssec-signing: on`, PowerDNS: `pdnsutil rectify-zone example.com`; check that secondary servers load the new zone). If the keys were changed, or the name servers moved, put the DS record of the new key into the registry, or take the old one out first: an unsigned domain works, a bogus one does not. Check with `delv example.com`, `dig +dnssec +cd example.com` and https://dnsviz.net, and watch the dates of the signatures as you do those of certificates.',
    references: [
      'RFC 4035 §5 (authenticating responses): https://www.rfc-editor.org/rfc/rfc4035#section-5',
      'RFC 6781 (operational practices): https://www.rfc-editor.org/rfc/rfc6781',
      'RFC 9276 (NSEC3 settings): https://www.rfc-editor.org/rfc/rfc9276',
      'CWE-345: https://cwe.mitre.org/data/definitions/345.html',
    ],
  },
});

function asCandidate(bogus: Bogus, domain: string, all: readonly Bogus[]): Candidate<Bogus> {
  const { name, type, verdict } = bogus;
  const reason = all[0]?.verdict.reason ?? verdict.reason;
  return {
    location: dnsLocation(name.replace('‹nonce›', '*'), type),
    route: domain,
    detail: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
    ...(all.every((each) => each.name.includes('‹nonce›')) ? { cvss: absentNameOnly } : {}),
    data: bogus,
  };
}
