import type { Exchange } from '../../model/http.ts';

/** An address of a private network, alone, with the length of its prefix, or with signs for any number at its end. Source: RFC 1918. */
const named =
  /(?<![\d.])((?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.(?:\d{1,3}|[x*]))+)(?:\/(\d{1,2}))?(?![\d.]*\d)/gi;
/** A network without an address: the commonest ones of companies and houses. */
const network = /\b(?:intranet|internal|(?:local|company|corporate|office|private) network|vpn|lan)\b/i;
const usual = ['10.0.0.1', '192.168.1.1'];
const maxNamed = 3;

/** Addresses that pages say a request has to come from, one of each network. */
export function addressesOfNetworks(pages: readonly Pick<Exchange, 'text'>[]): string[] {
  const texts = pages.map(({ text }) => text);
  const found = texts.flatMap((text) =>
    [...text.matchAll(named)].flatMap(([, begin = '', length]) => hostIn(begin, length)),
  );
  const known = [...new Set(found)].slice(0, maxNamed);
  return known.length > 0 ? known : texts.some((text) => network.test(text)) ? usual : [];
}

function hostIn(begin: string, length: string | undefined): string[] {
  const parts = begin.split('.');
  const numbers = parts.filter((part) => /^\d+$/.test(part));
  if (parts.length !== 4 || numbers.some((part) => Number(part) > 255)) return [];
  if (numbers.length === 4 && length === undefined && parts.at(-1) !== '0') return [begin];
  // A prefix of 24 bits or less leaves the last number free.
  const kept = Math.min(3, numbers.length, Math.ceil(Number(length ?? 24) / 8));
  return [[...numbers.slice(0, kept), ...['0', '0', '5'].slice(kept - 1)].join('.')];
}
