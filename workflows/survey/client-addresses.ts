import { resolve } from '../probe/html/links.ts';
import type { ClientCalls } from './addresses/client-calls.ts';
import { filledIn } from './addresses/code.ts';

/** Calls of an API's client, with what the client puts before their addresses: one file has that, others have the calls. */
export type ClientAddresses = {
  /** @returns absolute addresses that are new, and how many were beyond a limit */
  read(found: ClientCalls, base: string): { addresses: ClientAddress[]; left: number };
  /** The client puts something before its calls, so that they are no addresses without it. */
  hasBase(): boolean;
};

/** @property isMade with a sample of ours where a value goes in */
type ClientAddress = { url: string; isMade: boolean };

const limits = { bases: 8, wrapped: 4, asked: 1_000, others: 500, addresses: 300 };

export function createClientAddresses(): ClientAddresses {
  const bases = new Set<string>();
  const wrapped = new Set<string>();
  const [asked, others] = [new Set<string>(), new Set<string>()];
  const given = new Set<string>();

  /** @returns how many were not kept */
  const keep = (into: Set<string>, found: readonly string[], limit: number): number => {
    let left = 0;
    for (const each of found)
      if (into.size < limit) into.add(each);
      else if (!into.has(each)) left += 1;
    return left;
  };
  function* pairs(): Generator<[string, string]> {
    for (const base of bases) for (const call of asked) yield [base, call];
    for (const base of wrapped) for (const call of [...asked, ...others]) yield [base, call];
  }
  const kept = (): number => bases.size + wrapped.size + asked.size + others.size;

  return {
    read(found, page) {
      const before = kept();
      let left =
        found.left +
        keep(bases, found.bases, limits.bases) +
        keep(wrapped, found.wrapped, limits.wrapped) +
        keep(asked, found.asked, limits.asked) +
        keep(others, found.others, limits.others);
      const addresses: ClientAddress[] = [];
      if (kept() === before) return { addresses, left };
      for (const [base, call] of pairs()) {
        const path = filledIn(call);
        const url = path.startsWith(`${base}/`) ? undefined : resolve(`${base}${path}`, page);
        if (url === undefined || given.has(url)) continue;
        if (given.size >= limits.addresses) {
          left += 1;
          continue;
        }
        given.add(url);
        addresses.push({ url, isMade: path !== call });
      }
      return { addresses, left };
    },
    hasBase: () => bases.size > 0,
  };
}
