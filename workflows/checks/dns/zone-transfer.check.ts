import type { Candidate } from '../../model/candidate.ts';
import { claim } from '../../model/experiment.ts';
import type { Omitted } from '../../model/omission.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { defineCheck } from '../contract.ts';
import { dnsLocation } from '../names/dns-records.ts';
import { omittedBy } from '../omitted.ts';
import { askServers, ownServedZones, type ServerPlace, type ServerReply } from './name-servers.ts';

/** A name server gives a copy of the whole zone to everybody who asks. Source: RFC 5936 §5. */
export const zoneTransfer = defineCheck<ServerPlace>({
  id: 'dns.zone-transfer',
  title: 'DNS zone transfer (AXFR) allowed',
  cwe: 200,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const zones = await ownServedZones(context);
    if (!Array.isArray(zones)) return zones;
    const reported = await askServers(zones, 'TCP port 53', async ({ zone, server }) => {
      const { rcode, answers } = await context.dns.transfer(zone, server);
      return rcode === 'NOERROR' && answers.some(({ type }) => type !== 'SOA');
    });
    if (!Array.isArray(reported)) return reported;
    return { candidates: reported.flatMap(candidateFor), omitted: reported.flatMap(unheard) };
  },

  confirm: (_context, candidate) => {
    const place = candidate.data;
    if (!place) return undefined;
    const { zone, server } = place;
    const isZone = [
      claim('dns:rcode', 'equals', 'NOERROR'),
      claim('dns:records', 'matches', `(?i)^${escapePattern(zone)} SOA `, 'A copy begins with the head of the zone.'),
      claim('dns:records', 'matches', '(?m)^[^ \\n]+ (?:NS|A|AAAA|MX|TXT|CNAME|SRV) ', 'Its records follow.'),
    ];
    return {
      steps: [
        {
          dns: { name: zone, type: 'AXFR', server },
          note: `${server} gives the records of ${zone} to somebody whom it does not know.`,
          expect: isZone,
        },
      ],
      control: [
        {
          dns: { name: `‹nonce›.${zone}`, type: 'AXFR', server },
          note: 'For a name that is no zone it gives nothing of the kind.',
          expect: isZone.with(1, claim('dns:records', 'matches', '(?i)^[^ \\n]+ SOA ')),
        },
      ],
    };
  },

  explain: {
    description:
      'Name servers copy a zone from each other with a question of their own (AXFR). This one answers it to everybody, not only to the other servers of the zone. No more than the first records were taken.',
    impact:
      'Single names can be asked for by everybody, but only by those who know them. The copy is the list: internal systems, test and staging machines, VPN gateways, addresses of the office, services with other companies and their verification records. It spares an attacker the search, and shows the forgotten machine that is the easiest way in.',
    sends: 'Nothing to the site: asks each name server of the domain’s zones for a copy of the zone (AXFR over TCP).',
    proves:
      'The server sends the zone’s SOA and records to an unknown client, and nothing of the kind for a random name. An attacker has the list of all names of the zone.',
    remedy:
      'Allow transfers to the other servers of the zone alone, best by a key (TSIG). BIND: `allow-transfer { key "transfer"; };`, or `allow-transfer { 192.0.2.53; };`, and `none` on the last server of the chain. PowerDNS: `allow-axfr-ips=192.0.2.53`. Knot: an `acl` with `action: transfer`. NSD: `provide-xfr: 192.0.2.53 transfer`. Windows: Zone Transfers, “Only to servers listed on the Name Servers tab”. Each server of the zone needs it, the secondary ones as well. Check from outside: `dig AXFR example.com @ns1.example.com` has to end with “Transfer failed”. Take what should not be known out of the public zone anyway.',
    references: [
      'RFC 5936 §5 (access to zone transfers): https://www.rfc-editor.org/rfc/rfc5936#section-5',
      'RFC 8945 (TSIG): https://www.rfc-editor.org/rfc/rfc8945',
      'CWE-200: https://cwe.mitre.org/data/definitions/200.html',
      'WSTG-INFO-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/01-Information_Gathering/04-Enumerate_Applications_on_Webserver',
    ],
  },
});

const candidateFor = (reported: ServerReply<boolean>): Candidate<ServerPlace>[] => {
  const { zone, server } = reported.place;
  const location = dnsLocation(zone, 'AXFR', server);
  const detail = `${server} gives a copy of ${zone}.`;
  return 'said' in reported && reported.said ? [{ location, route: zone, detail, data: reported.place }] : [];
};

/** A server that takes no connection gives nothing to anybody; one that did not answer in time has not been looked at. */
function unheard(reported: ServerReply<boolean>): Omitted[] {
  if ('said' in reported) return [];
  const { failure, place } = reported;
  const text = `${failure.code} at ${dnsLocation(place.zone, 'AXFR', place.server).url}: ${failure.message}`;
  return failure.code === 'timeout' || failure.code === 'protocol_error' ? [omittedBy(failure, 1, text)] : [];
}
