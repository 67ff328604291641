import { isIP } from 'node:net';
import { parse } from 'tldts';
import { type CheckContext, type NotApplicable, notApplicable, type Surface } from '../contract.ts';
import { recordsOf } from './dns-records.ts';

/** Names that public registries do not give out. Source: RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, ICANN (.internal). */
const specialUse = /(?:^|\.)(?:localhost|local|test|invalid|example|onion|alt|internal|home\.arpa)$/;

/** A host in the public name space and the part of its name that somebody registered. */
export type PublicName = {
  host: string;
  /** A customer's name below a suffix like github.io counts as registered. */
  domain: string;
  /** What comes after the registered label, for instance "co.uk" or "github.io". */
  suffix: string;
  /** The suffix is not a registry's but a company's. */
  isBelowCompany: boolean;
};

/** @returns not applicable for an address, a name for local use or a suffix */
export function publicNameOf({ host: spelling }: Surface): PublicName | NotApplicable {
  const host = spelling.replace(/\.$/, '').toLowerCase();
  if (isIP(host.replace(/^\[|\]$/g, ''))) return notApplicable('The host is an IP address, not a name.');
  if (specialUse.test(host)) return notApplicable('Names of this kind are not on the public internet (RFC 6761).');
  const { domain, publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  if (!isIcann && !isPrivate) return notApplicable('The top-level domain is not on the public internet.');
  if (!domain || !publicSuffix) return notApplicable('The host is a public suffix, not a name below one.');
  return { host, domain, suffix: publicSuffix, isBelowCompany: isPrivate === true };
}

/** The same, for questions about records that the host's owner can publish: a page at a hosting company has no zone of its own. */
export async function ownZoneNameOf({
  surface,
  dns,
}: Pick<CheckContext, 'surface' | 'dns'>): Promise<PublicName | NotApplicable> {
  const name = publicNameOf(surface);
  if ('notApplicable' in name || !name.isBelowCompany) return name;
  const { domain, suffix } = name;
  const hasZone = recordsOf(await dns.query(domain, 'SOA'), 'SOA').length > 0;
  return hasZone
    ? name
    : notApplicable(`The records of ${domain} are in the zone of ${suffix}, which is somebody else's.`);
}
