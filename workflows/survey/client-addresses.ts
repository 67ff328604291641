import { resolve } from '../probe/html/links.ts';
import type { ClientCalls } from './addresses/client-calls.ts';
import { sampled } from './addresses/code.ts';

/** Calls of an API's client, with what the client puts before their addresses: one file has that, others have the calls. */
export type ClientAddresses = {
  /** @returns absolute addresses that are new */
  read(found: ClientCalls, base: string): ClientAddress[];
  /** The client puts something before its calls, so that they are no addresses without it. */
  hasBase(): boolean;
};

/** @property isMade with a sample of ours where a value goes in */
type ClientAddress = { url: string; isMade: boolean };

const maxAddresses = 300;

export function createClientAddresses(): ClientAddresses {
  const bases = new Set<string>();
  const wrapped = new Set<string>();
  const [asked, others] = [new Set<string>(), new Set<string>()];
  const given = new Set<string>();

  function* pairs(): Generator<[string, string]> {
    for (const base of bases) for (const call of asked) yield [base, call];
    for (const base of wrapped) for (const call of [...asked, ...others]) yield [base, call];
  }

  return {
    read(found, page) {
      for (const each of found.bases) bases.add(each);
      for (const each of found.wrapped) wrapped.add(each);
      for (const each of found.asked) asked.add(each);
      for (const each of found.others) others.add(each);
      const fresh: ClientAddress[] = [];
      for (const [base, call] of pairs()) {
        const path = sampled(call);
        const url = path.startsWith(`${base}/`) ? undefined : resolve(`${base}${path}`, page);
        if (url === undefined || given.has(url) || given.size >= maxAddresses) continue;
        given.add(url);
        fresh.push({ url, isMade: path !== call });
      }
      return fresh;
    },
    hasBase: () => bases.size > 0,
  };
}
