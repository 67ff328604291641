import type { DnsReply } from '../../model/dns.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { sameName } from '../../probe/dns/names.ts';
import { type CheckContext, type NotApplicable, notApplicable } from '../contract.ts';
import { isAnswered, recordsOf } from './dns-records.ts';
import { type LocalName, nameOf, type PublicName } from './public-name.ts';

type ZoneTools = Pick<CheckContext, 'surface' | 'dns' | 'nonce'>;

/** Names that no name server has, whatever it answers. Source: RFC 7686 §2, RFC 9476 §2. */
const notInDns = /(?:^|\.)(?:onion|alt)$/;

/**
 * The host and the domain whose owner can publish records for it.
 * In the public name space that is the registered domain; a page at a hosting company has no zone of its own. A name of
 * any other kind has an owner only where the worker's own name servers have a zone for it: a company's ".internal", a lab.
 * @returns not applicable when there are no records that the owner could publish
 * @throws ProbeError `dns_failed` or `timeout` when that could not be learned
 */
export async function ownZoneNameOf(asking: ZoneTools): Promise<PublicName | NotApplicable> {
  const name = nameOf(asking.surface);
  if ('notApplicable' in name) return name;
  if ('localHost' in name) return localZoneOf(asking, name);
  const { domain, suffix, isBelowCompany } = name;
  if (!isBelowCompany || isZone(await asking.dns.query(domain, 'SOA'), domain)) return name;
  return notApplicable(`The records of ${domain} are in the zone of ${suffix}, which is somebody else's.`);
}

/** The highest zone below the top-level name that the worker's name servers have for the host. */
async function localZoneOf(
  asking: ZoneTools,
  { localHost: host, reason }: LocalName,
): Promise<PublicName | NotApplicable> {
  if (notInDns.test(host)) return notApplicable(reason);
  const labels = host.split('.');
  let failed: DnsReply | undefined;
  for (let count = suffixLabels(host) + 1; count <= labels.length; count += 1) {
    const domain = labels.slice(-count).join('.');
    const suffix = labels.slice(1 - count).join('.');
    const reply = await asking.dns.query(domain, 'SOA');
    if (isZone(reply, domain)) {
      if (await isMadeUp(asking, suffix)) break;
      return { host, domain, suffix, isBelowCompany: false };
    }
    if (!isAnswered(reply)) failed ??= reply;
  }
  // Resolvers refuse such names in many ways; only where they do know the host is there something that they withhold.
  if (failed && (await isInDns(asking, host)))
    throw new ProbeError('dns_failed', `the name servers answered ${failed.rcode} for the zone of ${host}`);
  return notApplicable(`${reason} The name servers of the worker have no zone for it either.`);
}

/** Zones of "home.arpa" and of top-level names are the resolver's own, made so that nobody else is asked. Source: RFC 6303, RFC 8375. */
const suffixLabels = (host: string): number => (/(?:^|\.)home\.arpa$/.test(host) ? 2 : 1);

/** Whether a reply to SOA says that a zone begins at the name. A record of another name is an alias's, or the zone above. */
const isZone = ({ answers }: DnsReply, name: string): boolean =>
  answers.some((answer) => answer.type === 'SOA' && sameName(answer.name, name));

/** A resolver that has a zone for a name that nobody ever heard of has one for every name. */
async function isMadeUp({ dns, nonce }: ZoneTools, suffix: string): Promise<boolean> {
  const sibling = `${nonce()}.${suffix}`;
  return isZone(await dns.query(sibling, 'SOA'), sibling);
}

async function isInDns({ dns }: ZoneTools, host: string): Promise<boolean> {
  for (const type of ['A', 'AAAA']) if (recordsOf(await dns.query(host, type), type).length > 0) return true;
  return false;
}
