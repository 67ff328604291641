import { isIP } from 'node:net';
import { parse } from 'tldts';
import { invalid } from '../errors.ts';

/** A domain or address in its one spelling, and what may be done with it. */
type DomainName = {
  /** Lower case, Punycode, no trailing dot; an IPv6 address without brackets. */
  name: string;
  isAddress: boolean;
  /** One label, for instance "intranet": a name that only means something inside a network. */
  isSingleLabel: boolean;
};

/**
 * Reads a domain: Unicode names become Punycode (UTS #46, as in URLs), addresses their canonical form.
 * @throws Refusal INVALID_PARAMETER for what is not a domain, and for a public suffix such as "co.uk" or "github.io"
 */
export function parseDomain(field: string, text: string): DomainName {
  const trimmed = text.trim();
  const given = isIP(trimmed) === 6 ? `[${trimmed}]` : trimmed;
  const isBare = given.length <= 253 && /^(\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\%]+)$/i.test(given);
  const host = isBare
    ? URL.parse(`https://${given}/`)
        ?.hostname.replace(/\.$/, '')
        .replace(/^\[|\]$/g, '')
    : undefined;
  if (!host) throw invalid('INVALID_PARAMETER', field, 'use a domain name, for instance example.com');
  if (isIP(host) !== 0) return { name: host, isAddress: true, isSingleLabel: false };
  if (!host.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)))
    throw invalid('INVALID_PARAMETER', field, 'use a domain name, for instance example.com');
  const { publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  if (publicSuffix === host && (isIcann || isPrivate))
    throw invalid('INVALID_PARAMETER', field, 'a public suffix belongs to nobody alone; use a domain under it');
  return { name: host, isAddress: false, isSingleLabel: !host.includes('.') };
}

/** The names whose right could cover a host: itself, then its parents, nearest first. */
export function coveringNames(host: string): string[] {
  if (isIP(host) !== 0) return [host];
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/** The domain to prove for a host: the registrable one where there is one, for instance "example.co.uk". */
export const domainToProve = (host: string): string => parse(host, { allowPrivateDomains: true }).domain ?? host;
