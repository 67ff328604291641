import type { Candidate } from '../../model/candidate.ts';
import type { DnsReply } from '../../model/dns.ts';
import { claim } from '../../model/experiment.ts';
import { sameName } from '../../probe/dns/names.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { defineCheck } from '../contract.ts';
import { dnsLocation } from '../names/dns-records.ts';
import { askServers, ownServedZones, type ServerPlace, type ServerReply } from './name-servers.ts';

/** `server` does not have the zone, and `honest` has it. */
type Lame = ServerPlace & { rcode: string; honest: string };

/** What a server answers that does not have the zone: it refuses, or it says so (RFC 1996, RFC 2136, RFC 8499 "lame delegation"). */
const refusals = ['REFUSED', 'SERVFAIL', 'NOTAUTH'];

/** A name server of the zone does not have the zone. Source: RFC 1912 §2.8, RFC 8499 §7. */
export const lameDelegation = defineCheck<Lame>({
  id: 'dns.lame-delegation',
  title: 'Lame delegation',
  cwe: 672,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const zones = await ownServedZones(context);
    if (!Array.isArray(zones)) return zones;
    const reported = await askServers(zones, 'UDP port 53', ({ zone, server }) => context.dns.ask(zone, 'SOA', server));
    if (!Array.isArray(reported)) return reported;
    return reported.flatMap((one) => {
      const honest = reported.find((other) => other.place.zone === one.place.zone && hasZone(other));
      return 'said' in one && isLame(one.said) && honest
        ? [asCandidate({ ...one.place, rcode: one.said.rcode, honest: honest.place.server })]
        : [];
    });
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { zone, server, rcode, honest } = data;
    const lacksZone = [
      claim('dns:rcode', 'equals', rcode),
      claim('dns:authoritative', 'equals', 'false'),
      claim('dns:answers', 'absent'),
    ];
    return {
      steps: [
        {
          dns: { name: zone, type: 'NS' },
          note: `${zone} names ${server} for itself.`,
          expect: [claim('dns:answers', 'matches', `(?im)^${escapePattern(server)}\\.?$`)],
        },
        {
          dns: { name: zone, type: 'SOA', server },
          note: `${server} does not have the zone ${zone}.`,
          expect: lacksZone,
        },
      ],
      control: [
        {
          dns: { name: zone, type: 'SOA', server: honest },
          note: `${honest} has it, and answers the same question.`,
          expect: lacksZone,
        },
      ],
    };
  },

  explain: {
    description:
      'One of the name servers that the zone names for itself was asked about the zone, and does not have it, while another one has it. The others still answer, so nobody notices.',
    impact:
      'Resolvers that come to this server first have to try again, and with one server less the domain is closer to being gone altogether. It is graver at a company that hosts the zones of many: where its servers take a zone from whichever customer adds it, somebody else can add this one, answer for the domain as often as resolvers come to this server, and be given certificates for it (“sitting ducks”).',
    sends: 'Nothing to the site: asks each name server of the domain’s zones for the SOA record, over UDP.',
    proves:
      'A name server of the zone answers without authority for it, while another one answers the same question. Resolvers have one server less to ask. That somebody else could add the zone there is not shown.',
    remedy:
      'Set the zone up at the server, as primary or secondary (on BIND a `zone` with `type secondary; primaries { … };`, and the transfer allowed), or take the server out in both places: the NS records of the zone and the delegation at the registrar. Check each one with `dig +norecurse SOA example.com @ns2.example.net`: the answer has to have the flag “aa”. Change the delegation before a provider is given notice, not after.',
    references: [
      'RFC 1912 §2.8 (lame delegations): https://www.rfc-editor.org/rfc/rfc1912#section-2.8',
      'RFC 8499 §7: https://www.rfc-editor.org/rfc/rfc8499#section-7',
      'CWE-672: https://cwe.mitre.org/data/definitions/672.html',
    ],
  },
});

/** It says that it does not have the zone, or sends the asker on to others (a referral, RFC 1034 §4.3.1). */
const isLame = ({ rcode, authoritative, answers }: DnsReply): boolean =>
  !authoritative && (refusals.includes(rcode) || (rcode === 'NOERROR' && answers.length === 0));

const hasZone = (reported: ServerReply<DnsReply>): boolean =>
  'said' in reported &&
  reported.said.authoritative &&
  reported.said.answers.some(({ type, name }) => type === 'SOA' && sameName(name, reported.place.zone));

const asCandidate = (data: Lame): Candidate<Lame> => ({
  location: dnsLocation(data.zone, 'SOA', data.server),
  route: data.zone,
  detail: `${data.server} ${data.rcode === 'NOERROR' ? 'sends askers on to other servers' : `answers ${data.rcode}`} when it is asked about ${data.zone}.`,
  data,
});
