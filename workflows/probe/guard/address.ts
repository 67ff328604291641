import ipaddr from 'ipaddr.js';
import { ProbeError } from '../../model/probe-error.ts';

/** An IP address, parsed. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** A block of addresses, for instance 127.0.0.0/8. */
export type AddressBlock = { address: IpAddress; prefixLength: number };

/** Answers Azure's platform services to every machine there, from inside the public range. */
const azurePlatform = ipaddr.IPv4.parse('168.63.129.16');

/** The only part of IPv6 that global unicast addresses are given out from. Source: RFC 4291 §2.4, IANA IPv6 address space. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * One spelling for each host: lower case, IDNA, without brackets and trailing dot; addresses in their canonical form
 * ("0x7f.1" is "127.0.0.1"), as the WHATWG URL standard reads them.
 * @throws ProbeError `forbidden_address` for what is no host, zone identifiers included
 */
export function canonicalHost(spelling: string): string {
  const bare = spelling.startsWith('[') && spelling.endsWith(']') ? spelling.slice(1, -1) : spelling;
  if (bare.includes(':')) {
    if (!ipaddr.IPv6.isValid(bare) || bare.includes('%')) throw notAHost(spelling);
    return ipaddr.IPv6.parse(bare).toString();
  }
  if (/[\s/?#@\\%]/.test(bare) || !URL.canParse(`http://${bare}/`)) throw notAHost(spelling);
  const host = new URL(`http://${bare}/`).hostname.replace(/\.$/, '');
  if (host === '') throw notAHost(spelling);
  return host;
}

const notAHost = (spelling: string) =>
  new ProbeError('forbidden_address', `${JSON.stringify(spelling)} is not a host that can be audited`);

/** What answers at a port of this machine answers there by each of these names: applications lead from one to another. */
const ownMachine: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/** Whether two canonical hosts are the same, or names of the machine that the audit runs on. */
export const isSameMachine = (host: string, other: string): boolean =>
  host === other || (ownMachine.includes(host) && ownMachine.includes(other));

/** The address that a canonical host is, or undefined when it is a name. */
export function literalAddress(host: string): IpAddress | undefined {
  return ipaddr.isValid(host) ? ipaddr.parse(host) : undefined;
}

/**
 * Why nothing may connect to this address, or undefined when it is an ordinary public one.
 * Everything that the IANA special-purpose registries list is refused whole, so addresses that carry an IPv4 address
 * (mapped, compatible, NAT64, 6to4, Teredo) are refused whatever they carry. Source: RFC 6890, ipaddr.js ranges.
 */
export function forbiddenRange(address: IpAddress): string | undefined {
  const range = address.range();
  if (range !== 'unicast') return range;
  if (address instanceof ipaddr.IPv4) return address.match(azurePlatform, 32) ? 'cloudPlatform' : undefined;
  if (!address.match(globalUnicast)) return 'notGlobalUnicast';
  return isIsatap(address) ? 'isatap' : undefined;
}

/** Interface identifiers from which a local router derives the IPv4 address to send to. Source: RFC 5214 §6.1. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , high, low] = address.parts;
  return (high === 0 || high === 0x200) && low === 0x5efe;
}

/** Whether the address lies in the block. */
export function isWithin(address: IpAddress, block: AddressBlock): boolean {
  return address.kind() === block.address.kind() && address.match(block.address, block.prefixLength);
}
