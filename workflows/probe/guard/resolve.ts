import { lookup } from 'node:dns/promises';
import type { DnsReply } from '../../model/dns.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { DnsClient } from '../dns/dns.ts';
import { isLocalhost, sameName } from '../dns/names.ts';
import { inTime } from '../in-time.ts';

/** All addresses of a name, unchecked. @throws ProbeError `dns_failed` when it has none */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

const longestChain = 8;

/** @param client asks the resolver of the settings; without one the system resolves, its hosts file included */
export function createResolve(client?: DnsClient): Resolve {
  return async (name, signal) => {
    // Whatever a name server says of them.
    if (isLocalhost(name)) return ['127.0.0.1', '::1'];
    const addresses = client ? await askFor(client, name, signal) : await askSystem(name, signal);
    if (addresses.length === 0) throw new ProbeError('dns_failed', `${name} has no address`);
    return addresses;
  };
}

async function askSystem(name: string, signal: AbortSignal): Promise<string[]> {
  try {
    const found = await inTime(lookup(name, { all: true }), signal);
    return found.map(({ address }) => address);
  } catch (error) {
    if (signal.aborted) throw new ProbeError('timeout', `${name} was not resolved in time`);
    throw new ProbeError('dns_failed', `${name} cannot be resolved`, { cause: error });
  }
}

async function askFor(client: DnsClient, name: string, signal: AbortSignal): Promise<string[]> {
  const perType = await Promise.allSettled(['A', 'AAAA'].map((type) => followAliases(client, name, type, signal)));
  signal.throwIfAborted();
  const found = perType.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const failure = perType.find((result) => result.status === 'rejected');
  if (found.length === 0 && failure) throw failure.reason;
  return found;
}

/** Follows CNAMEs within an answer, and asks again where the resolver left the rest to us. */
async function followAliases(client: DnsClient, name: string, type: string, signal: AbortSignal): Promise<string[]> {
  let current = name.toLowerCase();
  for (let asked = 0; asked < longestChain; asked++) {
    const reply = await client.query(current, type, signal);
    if (reply.rcode !== 'NOERROR' && reply.rcode !== 'NXDOMAIN')
      throw new ProbeError('dns_failed', `${current} cannot be resolved: ${reply.rcode}`);
    const end = endOfChain(reply, current);
    const addresses = reply.answers.filter((answer) => answer.type === type && sameName(answer.name, end));
    if (addresses.length > 0 || end === current) return addresses.map(({ data }) => data);
    current = end;
  }
  throw new ProbeError('dns_failed', `${name} has too long a chain of aliases`);
}

function endOfChain(reply: DnsReply, start: string): string {
  let current = start;
  for (let hop = 0; hop < longestChain; hop++) {
    const alias = reply.answers.find((answer) => answer.type === 'CNAME' && sameName(answer.name, current));
    if (!alias) break;
    current = alias.data.toLowerCase();
  }
  return current;
}
