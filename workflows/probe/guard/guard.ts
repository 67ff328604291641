import ipaddr from 'ipaddr.js';
import { ProbeError } from '../../model/probe-error.ts';
import { createDnsClient } from '../dns/dns.ts';
import { inTime } from '../in-time.ts';
import { canonicalHost, forbiddenRange, literalAddress } from './address.ts';
import { type AllowRule, isAllowed } from './allow.ts';
import { createResolve, type Resolve } from './resolve.ts';

/** The only way from a host to addresses that may be connected to. */
export type Guard = {
  /**
   * Addresses of the host that passed, at least one. A name is resolved once in the guard's life and its addresses are
   * pinned, so an answer that changes later changes nothing. Forbidden addresses are left out and the others used: a
   * connection goes to an address that passed or nowhere, and hosts with one stray private record can be audited.
   * @throws ProbeError `forbidden_address` when none passed, `dns_failed`, `timeout`
   */
  addresses(host: string, signal: AbortSignal): Promise<readonly string[]>;
};

export type GuardSettings = {
  allow: readonly AllowRule[];
  /** "ip:port" of the resolver; the system's when not given. */
  dnsServer?: string | undefined;
  /** Keys that DNSSEC is validated by instead of the root's: "zone key-tag algorithm digest-type digest". */
  dnsAnchors?: readonly string[] | undefined;
  /** Where mail servers listen, in a lab; 25 by default. */
  mailPort?: number | undefined;
};

export function createGuard(settings: GuardSettings): Guard {
  const resolve = createResolve(settings.dnsServer === undefined ? undefined : createDnsClient(settings.dnsServer));
  const pinned = new Map<string, Promise<readonly string[]>>();
  return {
    async addresses(spelling, signal) {
      const host = canonicalHost(spelling);
      const known = pinned.get(host);
      if (known) return inTime(known, signal);
      // Others may wait for the same name, so it is not one caller's to cancel.
      const checked = check(settings.allow, resolve, host, AbortSignal.timeout(resolveTimeoutMs));
      pinned.set(host, checked);
      checked.catch(() => pinned.delete(host));
      return inTime(checked, signal);
    },
  };
}

/** Longer than the client's own attempts take together. */
const resolveTimeoutMs = 10_000;

async function check(allow: readonly AllowRule[], resolve: Resolve, host: string, signal: AbortSignal) {
  const found = literalAddress(host) ? [host] : await resolve(host, signal);
  const passed = found.filter((text) => {
    const address = ipaddr.parse(text);
    return forbiddenRange(address) === undefined || isAllowed(allow, host, address);
  });
  if (passed.length > 0) return passed;
  throw new ProbeError('forbidden_address', refusalOf(host));
}

/**
 * Reaches the org in failures, coverage and reports: neither the address nor its range is said, since a name that the
 * org points at our network would reveal what stands there.
 */
const refusalOf = (host: string): string =>
  literalAddress(host)
    ? `${host} is no public address`
    : `${host} leads to no public address; only hosts of the internet are audited, and those that the operator allows`;
