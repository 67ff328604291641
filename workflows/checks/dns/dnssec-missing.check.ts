import type { DnsReply, DnssecVerdict } from '../../model/dns.ts';
import { claim } from '../../model/experiment.ts';
import { sameName } from '../../probe/dns/names.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { dnsLocation, isAnswered } from '../names/dns-records.ts';
import { signableName, zoneClaim } from './dnssec.ts';

type Zone = { domain: string; suffix: string; verdict: DnssecVerdict };

/** A domain whose registry signs its zone has no signed delegation. Source: RFC 4035 §5.2, RFC 9364. */
export const dnssecMissing = defineCheck<Zone>({
  id: 'dns.dnssec-missing',
  title: 'DNSSEC not enabled',
  cwe: 345,
  owasp: 'A08:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const own = await signableName(context);
    if ('notApplicable' in own) return own;
    const { domain, suffix } = own;
    const reply = await context.dns.validate(domain, 'SOA');
    const { dnssec: verdict } = reply;
    // Signed, and if it is wrongly, that is another matter.
    if (verdict.status === 'secure' || verdict.status === 'bogus') return [];
    if (!isAnswered(reply)) return notRun('unreachable', `The name servers answered ${reply.rcode} for ${domain}.`);
    if (!isHead(reply, domain)) return notApplicable(`${domain} is no zone of its own.`);
    if (verdict.status === 'indeterminate')
      return notRun('unclear', `The signatures could not be followed to ${domain}: ${verdict.reason}.`);
    if (!sameName(verdict.zone, domain))
      return notApplicable(`Nobody below ${verdict.zone} can be signed: ${verdict.reason}.`);
    if (verdict.fault !== 'unsigned-delegation') return [];
    return [{ location: dnsLocation(domain, 'DS'), route: domain, data: { domain, suffix, verdict } }];
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { domain, suffix, verdict } = data;
    return {
      steps: [
        {
          dns: { name: domain, type: 'SOA' },
          note: `By signed records, the zone above shows that it vouches for no key of ${domain}.`,
          expect: [
            claim('dns:dnssec', 'equals', 'insecure'),
            claim('dns:dnssec-fault', 'equals', 'unsigned-delegation'),
            claim(...zoneClaim(verdict)),
          ],
        },
        {
          dns: { name: domain, type: 'DS' },
          note: `There is no DS record for ${domain}.`,
          expect: [claim('dns:rcode', 'equals', 'NOERROR'), claim('dns:answers', 'absent')],
        },
      ],
      control: [
        {
          dns: { name: suffix, type: 'SOA' },
          note: `The records of ${suffix} itself are signed, and good.`,
          expect: [claim('dns:dnssec', 'not-equals', 'secure')],
        },
      ],
    };
  },

  explain: {
    description:
      'The registry of the domain signs its zone with DNSSEC, and shows by signed records that it vouches for no key of the domain: there is no DS record. The answers of the domain therefore carry no signature that a resolver could verify.',
    impact:
      'Somebody who gets forged answers into a resolver (cache poisoning, a hijacked route, a hostile network) can send visitors and mail elsewhere, and nothing shows it but HTTPS; mail and the validation by which certificates are issued depend on the DNS alone. DANE and signed SSHFP records are not possible. This is a matter of depth: by itself it opens nothing.',
    sends:
      'Nothing to the site: asks name servers for the domain’s SOA and DS, and validates signatures from the root.',
    proves:
      'The zone above shows by signed records that it has no DS for the domain, while its own records validate. Shows a configuration; no attack was made.',
    remedy:
      'Have the zone signed and the DS record put into the registry. Where name servers and registration are with one company it is one switch (Cloudflare, Gandi, OVH, Route 53 with a KMS key). Otherwise sign at the name server (BIND: `dnssec-policy default;` in the zone, Knot: `dnssec-signing: on`, PowerDNS: `pdnsutil secure-zone example.com`) and give the DS record to the registrar. Check with `delv example.com` or https://dnsviz.net, watch the dates of signatures, and take the DS record out before the name servers are changed.',
    references: [
      'RFC 9364: https://www.rfc-editor.org/rfc/rfc9364',
      'RFC 4035 §5.2: https://www.rfc-editor.org/rfc/rfc4035#section-5.2',
      'CWE-345: https://cwe.mitre.org/data/definitions/345.html',
    ],
  },
});

const isHead = ({ answers }: DnsReply, domain: string): boolean =>
  answers.some(({ type, name }) => type === 'SOA' && sameName(name, domain));
