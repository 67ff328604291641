import { decode } from 'dns-packet';
import { formatServerAddress } from '../../../kit/server-address.ts';
import type { DnsProbe, DnsReply, DnssecVerdict } from '../../model/dns.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { Budget } from '../budget/budget.ts';
import { probeErrorFrom, type TimeLimit, timeLimit } from '../errors.ts';
import type { Guard } from '../guard/guard.ts';
import type { Recorder } from '../recorder.ts';
import { createDnsClient, dnsPort } from './dns.ts';
import { parseAnchors, rootAnchors } from './dnssec/anchors.ts';
import { createValidation } from './dnssec/validation.ts';
import { isLocalhost } from './names.ts';
import { type DnsPacketQuestion, questionForServer, toReply } from './packet.ts';
import { askServer, openConnection, portOf } from './server.ts';
import { takeZone } from './transfer.ts';

type DnsParts = {
  /** "ip:port"; the system's resolver by default. */
  server?: string | undefined;
  /** Keys that are trusted instead of the root's, as `parseAnchors` reads them. */
  anchors?: readonly string[] | undefined;
  guard: Guard;
  budget: Budget;
  recorder: Recorder;
  signal: AbortSignal;
};

const transferTimeoutMs = 10_000;
const askTimeoutMs = 4_000;
const attemptTimeoutMs = 1_500;
/** For a chain of a dozen questions, of which some find nobody. */
const validationTimeoutMs = 25_000;

/** What a system's resolver is not asked: no name server has such names. Source: RFC 6761 §6.3. */
const noSuchName: DnsReply = {
  rcode: 'NXDOMAIN',
  answers: [],
  authority: [],
  authenticated: false,
  authoritative: false,
  server: '',
};

/**
 * The DNS instrument. Its questions go to the resolver, not to the target, so they are outside the budget's rate;
 * names are not bound to the scope: a domain's mail and delegation records lead elsewhere by design.
 * What goes to a name server itself counts, and the guard decides on its address: zone transfers, and the questions by which
 * a chain of signatures is followed from the root down.
 */
export function createDnsProbe(parts: DnsParts): DnsProbe {
  const noted = async (method: string, url: string, signal: AbortSignal, work: () => Promise<DnsReply>) => {
    const startMs = performance.now();
    const note = (outcome: string) =>
      parts.recorder.note({ instrument: 'dns', method, url, outcome, elapsedMs: performance.now() - startMs });
    try {
      const reply = await work();
      note(reply.rcode);
      return reply;
    } catch (error) {
      const known = probeErrorFrom(error, signal);
      note(known.code);
      throw known;
    }
  };
  const client = createDnsClient(parts.server);
  const validation = createValidation(parts, client, parseAnchors(parts.anchors ?? rootAnchors));
  /** Something that goes to a server of the target: it waits for its turn, and has its time from then on. */
  const atServer = async (
    method: string,
    url: string,
    timeoutMs: number,
    work: (limit: TimeLimit) => Promise<DnsReply>,
  ): Promise<DnsReply> => {
    const remainingMs = Math.min(timeoutMs, Math.max(1, parts.budget.remainingMs()));
    using limit = timeLimit(parts.signal, remainingMs, `${method} ${url}`);
    return await noted(method, url, limit, async () => {
      limit.pause();
      await parts.budget.take(limit);
      limit.resume();
      return work(limit);
    });
  };
  return {
    async query(name, type) {
      if (parts.server === undefined && isLocalhost(name)) return noSuchName;
      return noted(type, name, parts.signal, () => client.query(name, type, parts.signal));
    },
    ask: (name, type, server) =>
      atServer(type, `${server}/${name}`, askTimeoutMs, (limit) =>
        askForRecords(parts, () => questionForServer(name, type), server, limit),
      ),
    async validate(name, type) {
      const remainingMs = Math.min(validationTimeoutMs, Math.max(1, parts.budget.remainingMs()));
      using limit = timeLimit(parts.signal, remainingMs, `the validation of ${type} ${name}`);
      let dnssec: DnssecVerdict | undefined;
      const reply = await noted(`${type}+DNSSEC`, name, limit, async () => {
        const [answer, verdict] = await Promise.all([client.query(name, type, limit), validation(name, type, limit)]);
        dnssec = verdict;
        return answer;
      });
      if (!dnssec) throw new ProbeError('dns_failed', `${type} ${name} was not validated`);
      return { ...reply, dnssec };
    },
    transfer: (zone, server) =>
      atServer('AXFR', `${server}/${zone}`, transferTimeoutMs, (limit) => askForZone(parts, zone, server, limit)),
  };
}

async function askForZone(parts: DnsParts, zone: string, host: string, signal: AbortSignal): Promise<DnsReply> {
  const socket = await openConnection(parts, host, await portOf(parts, host, signal), signal);
  const { remoteAddress = '', remotePort = dnsPort } = socket;
  return takeZone(socket, zone, formatServerAddress({ address: remoteAddress, port: remotePort }));
}

/** A lost packet is asked for again, once. */
async function askForRecords(parts: DnsParts, question: () => DnsPacketQuestion, host: string, limit: TimeLimit) {
  const attempt = async () => {
    const first = AbortSignal.any([limit, AbortSignal.timeout(attemptTimeoutMs)]);
    return askServer(parts, host, question(), first);
  };
  const { bytes, address, port } = await attempt().catch((error: unknown) => {
    limit.throwIfAborted();
    if (error instanceof ProbeError) throw error;
    return askServer(parts, host, question(), limit);
  });
  return toReply(decode(bytes), formatServerAddress({ address, port }));
}
