import type { HeaderList } from '../../../model/http.ts';
import { isGiven } from '../../http/cookies.ts';

/** Values of cookies by their names: those that a page began with, and those that the server gave since. */
export type KnownCookies = Map<string, Set<string>>;

type MayKnow = { known?: KnownCookies };

export function knownCookies(cookies: readonly { name: string; value: string }[]): KnownCookies {
  const known: KnownCookies = new Map();
  for (const { name, value } of cookies) note(known, name, value);
  return known;
}

const note = (known: KnownCookies, name: string, value: string) =>
  known.set(name, new Set([...(known.get(name) ?? []), value]));

/** Learns what an answer sets. What takes a cookie away has some value ("deleted") that the server gives to nobody. */
export function learnCookies({ known }: MayKnow, headers: HeaderList): void {
  if (!known) return;
  for (const [field, line] of headers) {
    const [, name, value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
    const isSet = field.toLowerCase() === 'set-cookie' && isGiven(line);
    if (isSet && name !== undefined) note(known, name.trim(), value.trim());
  }
}

/**
 * The headers of a request without what controls have made of cookies: applications keep that in the account (widths, folded menus),
 * where nobody takes it back.
 */
export function withKnownCookies({ known }: MayKnow, headers: HeaderList): HeaderList {
  if (!known) return headers;
  return headers.flatMap(([field, line]): HeaderList => {
    if (field.toLowerCase() !== 'cookie') return [[field, line]];
    const pairs = line.split(/;\s*/).flatMap((pair) => {
      const name = pair.replace(/=.*$/s, '');
      const values = known.get(name);
      if (!values) return [];
      return values.has(pair.slice(name.length + 1)) ? [pair] : [`${name}=${[...values].at(-1)}`];
    });
    return pairs.length === 0 ? [] : [[field, pairs.join('; ')]];
  });
}
