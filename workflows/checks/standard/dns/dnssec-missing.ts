import { sameName } from '../../../probe/dns/names.ts';
import type { DnsProbe } from '../../../probe/types.ts';
import { claim } from '../../../proof/experiment.ts';
import { defineCheck, notApplicable, notRun } from '../../contract.ts';
import { dnsLocation, isAnswered, recordsOf } from '../../support/dns-records.ts';
import { ownZoneNameOf } from '../../support/own-zone.ts';

type Zone = { domain: string; topLevel: string };

/** A domain whose registry signs its zone has no signed delegation. Source: RFC 4035 §5.2, RFC 9364. */
export const dnssecMissing = defineCheck<Zone>({
  id: 'dns.dnssec-missing',
  title: 'The domain is not signed with DNSSEC',
  cwe: 345,
  owasp: 'A08:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const own = await ownZoneNameOf(context);
    if ('notApplicable' in own) return own;
    const { dns } = context;
    const { domain, suffix } = own;
    const start = await dns.query(domain, 'SOA');
    if (!isAnswered(start)) return notRun(`The name servers answered ${start.rcode} for ${domain}.`);
    if (!start.answers.some(({ type, name }) => type === 'SOA' && sameName(name, domain)))
      return notApplicable(`${domain} is no zone of its own.`);
    // The resolver has verified the zone's signatures.
    if (start.authenticated) return [];
    const topLevel = suffix.slice(suffix.lastIndexOf('.') + 1);
    const unsigned = await firstUnsigned(dns, suffix);
    if (unsigned !== undefined)
      return notApplicable(`No signature can be shown for ${unsigned}, which is above ${domain}.`);
    const delegation = await dns.query(domain, 'DS');
    if (!isAnswered(delegation)) return notRun(`The name servers answered ${delegation.rcode} for ${domain}.`);
    if (delegation.answers.length > 0) return [];
    return [{ location: dnsLocation(domain, 'DS'), route: domain, data: { domain, topLevel } }];
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { domain, topLevel } = data;
    return {
      steps: [
        {
          dns: { name: domain, type: 'DS' },
          note: `The zone above does not vouch for a key of ${domain}.`,
          expect: [claim('dns:rcode', 'equals', 'NOERROR'), claim('dns:answers', 'absent')],
        },
      ],
      control: [
        {
          dns: { name: topLevel, type: 'DS' },
          note: `The resolver does give such records where there are any: those of ${topLevel}.`,
          expect: [claim('dns:answers', 'absent')],
        },
      ],
    };
  },

  explain: {
    description:
      'The registry of the domain signs its zone with DNSSEC, but there is no DS record for the domain. Its answers therefore carry no signature that a resolver could verify.',
    impact:
      'Somebody who gets forged answers into a resolver (cache poisoning, a hijacked route, a hostile network) can send visitors and mail elsewhere, and nothing shows it but HTTPS; mail and the validation by which certificates are issued depend on the DNS alone. DANE and signed SSHFP records are not possible. This is a matter of depth: by itself it opens nothing.',
    remedy:
      'Have the zone signed and the DS record put into the registry. Where name servers and registration are with one company it is one switch (Cloudflare, Gandi, OVH, Route 53 with a KMS key). Otherwise sign at the name server (BIND: `dnssec-policy default;` in the zone, Knot: `dnssec-signing: on`, PowerDNS: `pdnsutil secure-zone example.com`) and give the DS record to the registrar. Check with `delv example.com` or https://dnsviz.net, watch the dates of signatures, and take the DS record out before the name servers are changed.',
    references: [
      'RFC 9364: https://www.rfc-editor.org/rfc/rfc9364',
      'RFC 4035 §5.2: https://www.rfc-editor.org/rfc/rfc4035#section-5.2',
      'CWE-345: https://cwe.mitre.org/data/definitions/345.html',
    ],
  },
});

/**
 * The first zone from the top-level domain down to the suffix without a DS record: below it nobody can be signed.
 * A suffix that is no zone of its own ("gov.example" within "example") is passed over.
 */
async function firstUnsigned(dns: DnsProbe, suffix: string): Promise<string | undefined> {
  const labels = suffix.split('.');
  for (let index = labels.length - 1; index >= 0; index--) {
    const name = labels.slice(index).join('.');
    if (recordsOf(await dns.query(name, 'DS'), 'DS').length > 0) continue;
    const isTopLevel = index === labels.length - 1;
    if (isTopLevel || recordsOf(await dns.query(name, 'SOA'), 'SOA').length > 0) return name;
  }
  return undefined;
}
