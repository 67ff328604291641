import { sameName } from '../../../probe/dns/names.ts';
import { type DnsProbe, type DnsReply, ProbeError } from '../../../probe/types.ts';
import { claim } from '../../../proof/experiment.ts';
import { escapePattern } from '../../../proof/pattern.ts';
import { type Candidate, defineCheck, notApplicable, notRun } from '../../contract.ts';
import { dnsLocation } from '../../support/dns-records.ts';
import { servedZones } from '../../support/name-servers.ts';
import { ownZoneNameOf } from '../../support/own-zone.ts';
import { inParallel } from '../../support/parallel.ts';

type Place = { zone: string; server: string };
/** `server` does not have the zone, and `honest` has it. */
type Lame = Place & { rcode: string; honest: string };
type Told = Place & ({ reply: DnsReply } | { failure: ProbeError });

const lanes = 4;
/** What a server answers that does not have the zone: it refuses, or it says so (RFC 1996, RFC 2136, RFC 8499 "lame delegation"). */
const refusals = ['REFUSED', 'SERVFAIL', 'NOTAUTH'];

/** A name server of the zone does not have the zone. Source: RFC 1912 §2.8, RFC 8499 §7. */
export const lameDelegation = defineCheck<Lame>({
  id: 'dns.lame-delegation',
  title: 'A name server that the domain names does not have the domain',
  cwe: 672,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const own = await ownZoneNameOf(context);
    if ('notApplicable' in own) return own;
    const zones = await servedZones(context.dns, own);
    if ('notRun' in zones) return zones;
    const places = zones.flatMap(({ zone, servers }) => servers.map((server) => ({ zone, server })));
    if (places.length === 0) return notApplicable(`${own.domain} is no zone of its own.`);
    const told = await inParallel(places, lanes, (place) => askFor(context.dns, place));
    const failures = told.flatMap((one) => ('failure' in one ? [one.failure] : []));
    const [first] = failures;
    if (first && failures.length === told.length) {
      return failures.every(({ code }) => code === 'forbidden_address')
        ? notApplicable(`No name server is at an address that may be audited: ${first.message}.`)
        : notRun(`No name server of the domain could be asked itself (UDP port 53): ${first.message}.`);
    }
    return told.flatMap((one) => {
      const honest = told.find((other) => other.zone === one.zone && hasZone(other));
      const isLame = 'reply' in one && refusals.includes(one.reply.rcode) && !one.reply.authoritative;
      return isLame && honest ? [asCandidate({ ...one, rcode: one.reply.rcode, honest: honest.server })] : [];
    });
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { zone, server, rcode, honest } = data;
    const isLame = [claim('dns:rcode', 'equals', rcode), claim('dns:authoritative', 'equals', 'false')];
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
          expect: isLame,
        },
      ],
      control: [
        {
          dns: { name: zone, type: 'SOA', server: honest },
          note: `${honest} has it, and answers the same question.`,
          expect: isLame,
        },
      ],
    };
  },

  explain: {
    description:
      'One of the name servers that the zone names for itself was asked about the zone, and does not have it, while another one has it. The others still answer, so nobody notices.',
    impact:
      'Resolvers that come to this server first have to try again, and with one server less the domain is closer to being gone altogether. It is graver at a company that hosts the zones of many: where its servers take a zone from whichever customer adds it, somebody else can add this one, answer for the domain as often as resolvers come to this server, and be given certificates for it (“sitting ducks”).',
    remedy:
      'Set the zone up at the server, as primary or secondary (on BIND a `zone` with `type secondary; primaries { … };`, and the transfer allowed), or take the server out in both places: the NS records of the zone and the delegation at the registrar. Check each one with `dig +norecurse SOA example.com @ns2.example.net`: the answer has to have the flag “aa”. Change the delegation before a provider is given notice, not after.',
    references: [
      'RFC 1912 §2.8 (lame delegations): https://www.rfc-editor.org/rfc/rfc1912#section-2.8',
      'RFC 8499 §7: https://www.rfc-editor.org/rfc/rfc8499#section-7',
      'CWE-672: https://cwe.mitre.org/data/definitions/672.html',
    ],
  },
});

async function askFor(dns: DnsProbe, place: Place): Promise<Told> {
  try {
    return { ...place, reply: await dns.ask(place.zone, 'SOA', place.server) };
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled' || error.code === 'budget_exhausted') throw error;
    return { ...place, failure: error };
  }
}

const hasZone = (told: Told): boolean =>
  'reply' in told &&
  told.reply.authoritative &&
  told.reply.answers.some(({ type, name }) => type === 'SOA' && sameName(name, told.zone));

const asCandidate = (data: Lame): Candidate<Lame> => ({
  location: dnsLocation(data.zone, 'SOA', data.server),
  route: data.zone,
  detail: `${data.server} answers ${data.rcode} when it is asked about ${data.zone}.`,
  data,
});
