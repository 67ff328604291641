import ipaddr from 'ipaddr.js';
import { type AddressBlock, canonicalHost, type IpAddress, isSameMachine, isWithin } from './address.ts';

/** The operator lets this host be reached at these addresses, although they are not public. */
export type AllowRule = {
  /** Canonical host, or the part after "*." */
  host: string;
  /** The rule was "*.host": it covers every name below the host, not the host itself. */
  subdomains: boolean;
  block: AddressBlock;
};

/**
 * Reads rules of the form `host=cidr` or `*.host=cidr`, for instance `shop.localhost=127.0.0.0/8`.
 * @throws Error that quotes the rule that cannot be read
 */
export function parseAllowRules(rules: readonly string[]): AllowRule[] {
  return rules.map((rule) => {
    const [pattern, range, ...rest] = rule.split('=').map((part) => part.trim());
    if (!pattern || !range || rest.length > 0 || !ipaddr.isValidCIDR(range))
      throw new Error(`${JSON.stringify(rule)}: use host=address/length, for instance shop.localhost=127.0.0.0/8`);
    const subdomains = pattern.startsWith('*.');
    const [address, prefixLength] = ipaddr.parseCIDR(range);
    return {
      host: canonicalHost(subdomains ? pattern.slice(2) : pattern),
      subdomains,
      block: { address, prefixLength },
    };
  });
}

/** Whether a rule names this pair of host and address. */
export function isAllowed(rules: readonly AllowRule[], host: string, address: IpAddress): boolean {
  return rules.some(
    (rule) =>
      (rule.subdomains ? host.endsWith(`.${rule.host}`) : isSameMachine(host, rule.host)) &&
      isWithin(address, rule.block),
  );
}
