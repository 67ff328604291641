import { isFinal } from '../../../model/probe-error.ts';
import type { DnsClient } from '../dns.ts';
import { questionForValidation } from '../packet.ts';
import { askServer, type ServerParts } from '../server.ts';
import { type Labels, recordTypes, textOf, type WireMessage } from '../wire.ts';
import type { ZoneServer, ZoneServers } from '../zone-servers.ts';
import type { SignedReply, ZoneSource } from './chain.ts';
import { rrsetsOf, typeText } from './records.ts';

/** Servers of a zone that are asked before it counts as out of reach, or as wrong. */
const maxServers = 3;
const attemptTimeoutMs = 1_500;
const maxFallbackAddresses = 2;

/** The zones' own servers, each asked about its zone alone. What does not come from a zone of theirs is no answer. */
export function serverSource(
  parts: ServerParts,
  servers: ZoneServers,
  client: DnsClient,
  signal: AbortSignal,
): ZoneSource {
  return {
    async *ask(zone, { name, type }) {
      const question = () => questionForValidation(textOf(name), typeText(type), 'server');
      for (const server of (await serversOf(servers, zone, signal)).slice(0, maxServers)) {
        for await (const host of hostsOf(parts, server, client, signal)) {
          const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]);
          const message = await quietly(async () => {
            await parts.budget.take(limit);
            return (await askServer(parts, host, question(), limit)).message;
          }, signal);
          if (message?.isAuthoritative && saysWhatThereIs(message)) yield replyOf(message);
          if (message) break;
        }
      }
    },
  };
}

const serversOf = async (servers: ZoneServers, zone: Labels, signal: AbortSignal): Promise<ZoneServer[]> =>
  (await quietly(() => servers.of(zone, signal), signal)) ?? [];

/**
 * A server by its name, where it has an address that may be asked. A resolver that validates does not give the address of
 * a server whose name is in a zone that is bogus, so then by what the referral says, or what the resolver has without validation.
 */
async function* hostsOf(
  { guard }: ServerParts,
  { host, addresses }: ZoneServer,
  client: DnsClient,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const byName = await quietly(() => guard.addresses(host, signal), signal);
  if (byName) return yield host;
  const unchecked =
    addresses.length > 0 ? undefined : await quietly(() => client.queryUnchecked(host, 'A', signal), signal);
  const found = (unchecked?.message.answers ?? []).flatMap(({ type, data }) =>
    type === recordTypes.A && data.length === 4 ? [data.join('.')] : [],
  );
  yield* [...addresses, ...found].slice(0, maxFallbackAddresses);
}

/** One resolver for all zones. */
export function resolverSource(client: DnsClient, signal: AbortSignal): ZoneSource {
  return {
    async *ask(_zone, { name, type }) {
      const received = await quietly(() => client.queryUnchecked(textOf(name), typeText(type), signal), signal);
      if (received && saysWhatThereIs(received.message)) yield replyOf(received.message);
    },
  };
}

/** NOERROR or NXDOMAIN. */
const saysWhatThereIs = ({ rcode }: WireMessage): boolean => rcode === 0 || rcode === 3;

const replyOf = ({ answers, authority }: WireMessage): SignedReply => ({
  answers: rrsetsOf(answers),
  authority: rrsetsOf(authority),
});

/** A server that does not answer is skipped; the end of the scan or of its budget is not. */
async function quietly<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (isFinal(error)) throw error;
    return undefined;
  }
}
