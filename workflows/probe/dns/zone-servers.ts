import { isFinal } from '../../model/probe-error.ts';
import type { DnsClient } from './dns.ts';
import { questionForServer } from './packet.ts';
import { askServer, type ServerParts } from './server.ts';
import { type Labels, readName, recordTypes, sameLabels, textOf, type WireMessage } from './wire.ts';

/** A name server of a zone, and its addresses as far as the zone above knows them. */
export type ZoneServer = { host: string; addresses: string[] };

/** The servers of the zones on the way down from the root. */
export type ZoneServers = {
  /** The servers of a zone, in an order by chance; [] when they cannot be learned. */
  of(zone: Labels, signal: AbortSignal): Promise<ZoneServer[]>;
};

/** Addresses that the root's servers have had for many years. Source: https://www.internic.net/domain/named.root */
const rootServers = [
  '198.41.0.4',
  '170.247.170.2',
  '192.33.4.12',
  '199.7.91.13',
  '192.203.230.10',
  '192.5.5.241',
  '192.36.148.17',
  '192.58.128.30',
  '193.0.14.129',
  '199.7.83.42',
  '202.12.27.33',
];

/** Servers of the zone above that are asked for a delegation. */
const maxAbove = 2;
const referralTimeoutMs = 2_000;

/**
 * With a resolver of the operator's own, its word says which servers a zone has: it may have zones that nobody else has.
 * Without one, the way down begins at the root's servers and follows their referrals.
 */
export function createZoneServers(parts: ServerParts, client: DnsClient): ZoneServers {
  const known = new Map<string, Promise<ZoneServer[]>>();
  const above = (zone: Labels): Labels => {
    for (let depth = zone.length - 1; depth > 0; depth -= 1) {
      const name = zone.slice(zone.length - depth);
      if (known.has(textOf(name))) return name;
    }
    return [];
  };
  const find = async (zone: Labels, signal: AbortSignal): Promise<ZoneServer[]> => {
    if (parts.server !== undefined) return byResolver(client, zone, signal);
    if (zone.length === 0) return rootServers.map((host) => ({ host, addresses: [] }));
    const parents = await servers.of(above(zone), signal);
    return byReferral(parts, parents.slice(0, maxAbove), zone, signal);
  };
  const servers: ZoneServers = {
    async of(zone, signal) {
      const key = textOf(zone);
      const found = known.get(key) ?? find(zone, signal).then(shuffled);
      known.set(key, found);
      return found;
    },
  };
  return servers;
}

async function byResolver(client: DnsClient, zone: Labels, signal: AbortSignal): Promise<ZoneServer[]> {
  const { message } = await client.queryUnchecked(textOf(zone), 'NS', signal);
  return serversIn(message, zone);
}

async function byReferral(
  parts: ServerParts,
  parents: readonly ZoneServer[],
  zone: Labels,
  signal: AbortSignal,
): Promise<ZoneServer[]> {
  for (const { host, addresses } of parents) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(referralTimeoutMs)]);
    try {
      const question = questionForServer(textOf(zone), 'NS');
      const { message } = await askServer(parts, addresses[0] ?? host, question, limit);
      const found = serversIn(message, zone);
      if (found.length > 0) return found;
    } catch (error) {
      signal.throwIfAborted();
      if (isFinal(error)) throw error;
    }
  }
  return [];
}

/** The name servers that an answer or a referral names for a zone, with the addresses beside them. */
function serversIn({ answers, authority, additional }: WireMessage, zone: Labels): ZoneServer[] {
  const hosts = [...answers, ...authority].flatMap(({ owner, type, data }) =>
    type === recordTypes.NS && sameLabels(owner, zone) ? [readName(data, 0).labels] : [],
  );
  const unique = hosts.filter((host, index) => hosts.findIndex((other) => sameLabels(host, other)) === index);
  return unique.map((host) => ({
    host: textOf(host),
    addresses: [...additional, ...answers].flatMap(({ owner, type, data }) =>
      type === recordTypes.A && sameLabels(owner, host) && data.length === 4 ? [data.join('.')] : [],
    ),
  }));
}

/** No server of a zone gets all the questions. */
const shuffled = <T>(list: T[]): T[] =>
  list
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
