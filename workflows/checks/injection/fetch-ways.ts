import ipaddr from 'ipaddr.js';
import { callbackSpot } from '../../model/callbacks.ts';
import type { CallbackWay } from '../inputs/callback-look.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputAction } from '../inputs/input-request.ts';

export type FetchWay = CallbackWay & { address: string };

/**
 * Addresses of the listener for an input whose value may be fetched: the plain one for each, and those that pass lists of hosts
 * where the site's own value is an address.
 */
export function fetchWays(input: OpenedInput, host: string): FetchWay[] {
  const spot = callbackSpot(host, '‹callback›');
  const way = (address: string): FetchWay => ({
    address,
    action: inputAction(input, address),
    inert: inputAction(input, '‹callback›'),
  });
  const own = URL.parse(input.sample.startsWith('//') ? `http:${input.sample}` : input.sample)?.host ?? '';
  const plain = way(`http://${spot}`);
  if (own !== '') return [plain, way(`//${spot}`), way(`http://${own}@${spot}`), way(`http://${spot}?${own}`)];
  // What stands before it may be a scheme, or the beginning of an address.
  return /^[\w.-]+\.[a-z]{2,}(?:[:/]|$)/i.test(input.sample) ? [plain, way(spot), way(`@${spot}`)] : [plain];
}

/** Whether the listener stands inside: then a server that calls it does what it would not do for an address that is refused. */
export function isInternal(host: string): boolean {
  const [, address = ''] = /^\[?([^\]]*?)\]?(?::\d+)?$/.exec(host) ?? [];
  return address === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast');
}
