import { probeErrorFrom } from '../errors.ts';
import type { Recorder } from '../recorder.ts';
import type { DnsProbe } from '../types.ts';
import { createDnsClient } from './dns.ts';

/**
 * The DNS instrument. Its questions go to the resolver, not to the target, so they are outside the budget's rate;
 * names are not bound to the scope: a domain's mail and delegation records lead elsewhere by design.
 * @param server "ip:port"; the system's resolver by default
 */
export function createDnsProbe(parts: {
  server?: string | undefined;
  recorder: Recorder;
  signal: AbortSignal;
}): DnsProbe {
  const client = createDnsClient(parts.server);
  return {
    async query(name, type) {
      const startMs = performance.now();
      const note = (outcome: string) =>
        parts.recorder.note({
          instrument: 'dns',
          method: type,
          url: name,
          outcome,
          elapsedMs: performance.now() - startMs,
        });
      try {
        const reply = await client.query(name, type, parts.signal);
        note(reply.rcode);
        return reply;
      } catch (error) {
        const known = probeErrorFrom(error, parts.signal);
        note(known.code);
        throw known;
      }
    },
  };
}
