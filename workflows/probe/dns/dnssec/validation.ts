import type { DnssecVerdict } from '../../../model/dns.ts';
import { ProbeError } from '../../../model/probe-error.ts';
import type { DnsClient } from '../dns.ts';
import type { ServerParts } from '../server.ts';
import { labelsOf, sameLabels, textOf } from '../wire.ts';
import { createZoneServers } from '../zone-servers.ts';
import type { TrustAnchor } from './anchors.ts';
import { type ChainOutcome, validate, type ZoneSource } from './chain.ts';
import { typeNumber } from './records.ts';
import { resolverSource, serverSource } from './sources.ts';

/** Validates the answer to a question. */
type Validation = (name: string, type: string, signal: AbortSignal) => Promise<DnssecVerdict>;

/**
 * By the zones' own servers where they can be reached; else by what the resolver has, which is as good as far as the
 * signatures are there; else by the resolver's word.
 */
export function createValidation(parts: ServerParts, client: DnsClient, anchor: TrustAnchor): Validation {
  let isCutOff = false;
  return async (name, type, signal) => {
    const question = { name: labelsOf(name), type: typeNumber(type) };
    const by = (source: ZoneSource) => validate(question, anchor, source, new Date());
    if (!isCutOff) {
      const outcome = await by(serverSource(parts, createZoneServers(parts, client), client, signal));
      const isAtTop = sameLabels(outcome.zone, anchor.zone) && outcome.status !== 'secure';
      if (outcome.status !== 'indeterminate' && !isAtTop) return verdictOf(outcome, 'servers');
      // Nobody would have noticed if the top itself were broken: it is our way there that is.
      isCutOff = isAtTop;
    }
    const outcome = await by(resolverSource(client, signal));
    if (outcome.status === 'secure' || outcome.status === 'insecure') return verdictOf(outcome, 'resolver');
    return byWord(client, name, type, outcome, signal);
  };
}

const verdictOf = (outcome: ChainOutcome, source: DnssecVerdict['source']): DnssecVerdict => ({
  status: outcome.status,
  zone: textOf(outcome.zone),
  source,
  ...('fault' in outcome ? { fault: outcome.fault.fault, reason: outcome.fault.reason } : { reason: '' }),
});

/**
 * A resolver that validates and keeps back what it has without validation holds it to be bogus. What it gives all the same
 * is not bogus to it: then signatures are lost between it and us. Source: RFC 4035 §5.5, RFC 6840 §5.9.
 */
async function byWord(
  client: DnsClient,
  name: string,
  type: string,
  outcome: Extract<ChainOutcome, { status: 'bogus' } | { status: 'indeterminate' }>,
  signal: AbortSignal,
): Promise<DnssecVerdict> {
  const [checked, unchecked] = await Promise.all([
    client.query(name, type, signal).catch((error: unknown) => withoutAnswer(error)),
    client.queryUnchecked(name, type, signal).catch((error: unknown) => withoutAnswer(error)),
  ]);
  const verdict = verdictOf(outcome, 'resolver');
  if (checked?.authenticated && checked.rcode !== 'SERVFAIL')
    return { status: 'secure', zone: textOf(labelsOf(name)), reason: '', source: 'resolver' };
  const isKeptBack = checked?.rcode === 'SERVFAIL' && unchecked !== undefined && unchecked.message.rcode !== 2;
  if (!isKeptBack) return { ...verdict, status: 'indeterminate' };
  const isSeen = outcome.status === 'bogus' && !sameLabels(outcome.zone, []);
  if (isSeen) return verdict;
  return {
    status: 'bogus',
    zone: textOf(labelsOf(name)),
    fault: 'resolver-refuses',
    reason: `the resolver gives ${type} ${name} only when the query disables validation`,
    source: 'resolver',
  };
}

function withoutAnswer(error: unknown): undefined {
  if (error instanceof ProbeError && (error.code === 'dns_failed' || error.code === 'timeout')) return undefined;
  throw error;
}
