import type { DnsProbe } from '../../model/dns.ts';
import { isFinal, ProbeError } from '../../model/probe-error.ts';
import { sameName } from '../../probe/dns/names.ts';
import { type CheckContext, type NotApplicable, type NotRun, notApplicable, notRun } from '../contract.ts';
import { inParallel } from '../inputs/parallel.ts';
import { isAnswered } from '../names/dns-records.ts';
import { ownZoneNameOf } from '../names/own-zone.ts';
import type { PublicName } from '../names/public-name.ts';

/** A zone and the name servers that its own NS records name. */
type ServedZone = { zone: string; servers: string[] };

/** One name server of a zone. */
export type ServerPlace = { zone: string; server: string };

/** What one name server did with a question. */
export type ServerReply<T> = { place: ServerPlace } & ({ said: T } | { failure: ProbeError });

const width = 4;

/**
 * The zones that the host's owner has: that of the domain, and any between it and the host.
 * @throws ProbeError
 */
export async function ownServedZones(context: CheckContext): Promise<ServedZone[] | NotApplicable | NotRun> {
  const own = await ownZoneNameOf(context);
  if ('notApplicable' in own) return own;
  const zones = await servedZones(context.dns, own);
  return 'notRun' in zones || zones.length > 0 ? zones : notApplicable(`${own.domain} is no zone of its own.`);
}

async function servedZones(dns: DnsProbe, { host, domain }: PublicName): Promise<ServedZone[] | NotRun> {
  const names = namesBetween(host, domain);
  const replies = await Promise.all(names.map((zone) => dns.query(zone, 'NS')));
  const zones: ServedZone[] = [];
  for (const [at, reply] of replies.entries()) {
    const zone = names[at] ?? domain;
    if (!isAnswered(reply)) return notRun('unreachable', `The name servers answered ${reply.rcode} for ${zone}.`);
    const records = reply.answers.filter(({ type, name }) => type === 'NS' && sameName(name, zone));
    if (records.length > 0) zones.push({ zone, servers: records.map(({ data }) => data.toLowerCase()) });
  }
  return zones;
}

/** ("a.b.example.com", "example.com") → a.b.example.com, b.example.com, example.com */
function namesBetween(host: string, domain: string): string[] {
  const labels = host.split('.');
  const count = labels.length - domain.split('.').length + 1;
  return Array.from({ length: count }, (_, index) => labels.slice(index).join('.'));
}

/**
 * Asks each server of the zones itself, and goes on where one fails.
 * @param by what a firewall would close, for instance "TCP port 53"
 * @returns not applicable when none may be asked, not run when none could be
 * @throws ProbeError `canceled` or `budget_exhausted`
 */
export async function askServers<T>(
  zones: readonly ServedZone[],
  by: string,
  ask: (place: ServerPlace) => Promise<T>,
): Promise<ServerReply<T>[] | NotApplicable | NotRun> {
  const places = zones.flatMap(({ zone, servers }) => servers.map((server) => ({ zone, server })));
  const replies = await inParallel(places, width, async (place): Promise<ServerReply<T>> => {
    try {
      return { place, said: await ask(place) };
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled' || isFinal(error)) throw error;
      return { place, failure: error };
    }
  });
  const failures = replies.flatMap((one) => ('failure' in one ? [one.failure] : []));
  const [first] = failures;
  if (!first || failures.length < replies.length) return replies;
  return failures.every(({ code }) => code === 'forbidden_address')
    ? notApplicable(`No name server is at an address that may be audited: ${first.message}.`)
    : notRun('unreachable', `No name server of the domain could be asked itself (${by}): ${first.message}.`);
}
