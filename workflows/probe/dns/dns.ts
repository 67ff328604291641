import { getServers } from 'node:dns';
import { once } from 'node:events';
import { connect } from 'node:net';
import { decode } from 'dns-packet';
import { formatServerAddress, parseServerAddress } from '../../../kit/server-address.ts';
import type { DnsReply } from '../../model/dns.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { exchange, type Received } from './exchange.ts';
import { type DnsPacketQuestion, questionForResolver, questionForValidation, toReply } from './packet.ts';

/** Asks one question of one resolver. @throws ProbeError `dns_failed` or `timeout`, or the signal's reason */
export type DnsClient = {
  query(name: string, type: string, signal: AbortSignal): Promise<DnsReply>;
  /** With signatures, and whatever the resolver thinks of them. */
  queryUnchecked(name: string, type: string, signal: AbortSignal): Promise<Received>;
  /** "ip:port". */
  server: string;
};

/** Source: RFC 1035 §4.2. */
export const dnsPort = 53;
const attempts = 3;
const attemptTimeoutMs = 2_000;

/**
 * A client over UDP with retries, and over TCP when the answer was cut. Nothing is cached.
 * @param server "ip:port" of a resolver; the system's first one by default
 */
export function createDnsClient(server?: string): DnsClient {
  const resolver = parseServerAddress(server ?? getServers()[0] ?? '127.0.0.1', dnsPort);
  const overTcp = async (signal: AbortSignal) => {
    const socket = connect({ host: resolver.address, port: resolver.port, signal });
    await once(socket, 'connect');
    return socket;
  };
  const ask = async <T>(
    makeQuestion: () => DnsPacketQuestion,
    signal: AbortSignal,
    read: (received: Received) => T,
  ): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const question = makeQuestion();
      const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptTimeoutMs)]);
      try {
        return read(await exchange(question, resolver, overTcp, limit));
      } catch (error) {
        signal.throwIfAborted();
        if (attempt < attempts) continue;
        const { type, name } = question;
        if (limit.aborted) throw new ProbeError('timeout', `no answer to ${type} ${name} from the resolver`);
        throw new ProbeError('dns_failed', `${type} ${name} could not be asked`, { cause: error });
      }
    }
  };
  const address = formatServerAddress(resolver);
  return {
    server: address,
    query: (name, type, signal) =>
      ask(
        () => questionForResolver(name, type),
        signal,
        ({ bytes }) => toReply(decode(bytes), address),
      ),
    queryUnchecked: (name, type, signal) =>
      ask(
        () => questionForValidation(name, type, 'resolver'),
        signal,
        (received) => received,
      ),
  };
}
