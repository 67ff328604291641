import { isIP } from 'node:net';
import { parse } from 'tldts';
import type { Surface } from '../../model/surface.ts';
import { type NotApplicable, notApplicable } from '../contract.ts';

/** Names that public registries do not give out. Source: RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, ICANN (.internal). */
const specialUse = /(?:^|\.)(?:localhost|local|test|invalid|example|onion|alt|internal|home\.arpa)$/;

/** A host and the part of its name that somebody registered. */
export type PublicName = {
  host: string;
  /** A customer's name below a suffix like github.io counts as registered. */
  domain: string;
  /** What comes after the registered label, for instance "co.uk" or "github.io". */
  suffix: string;
  /** The suffix is not a registry's but a company's. */
  isBelowCompany: boolean;
};

/** A host outside the public name space. */
export type LocalName = { localHost: string; reason: string };

/** @returns not applicable for an address, a name for local use or a suffix */
export function publicNameOf(surface: Surface): PublicName | NotApplicable {
  const name = nameOf(surface);
  return 'localHost' in name ? notApplicable(name.reason) : name;
}

/** Like `publicNameOf`, and distinguishes names that only the owner's name servers can know from names without records. */
export function nameOf({ host: spelling }: Surface): PublicName | LocalName | NotApplicable {
  const host = spelling.replace(/\.$/, '').toLowerCase();
  if (isIP(host.replace(/^\[|\]$/g, ''))) return notApplicable('The host is an IP address, not a name.');
  if (specialUse.test(host))
    return { localHost: host, reason: 'Names of this kind are not on the public internet (RFC 6761).' };
  const { domain, publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  if (!isIcann && !isPrivate) return { localHost: host, reason: 'The top-level domain is not on the public internet.' };
  if (!domain || !publicSuffix) return notApplicable('The host is a public suffix, not a name below one.');
  return { host, domain, suffix: publicSuffix, isBelowCompany: isPrivate === true };
}
