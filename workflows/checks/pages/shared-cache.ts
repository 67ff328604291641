import type { Exchange } from '../../model/http.ts';
import type { CheckContext } from '../contract.ts';

/** A parameter that nobody else sends: what a cache keeps of this answer, nobody else gets. */
export const unshared = (url: string, word: string): string => `${url}${url.includes('?') ? '&' : '?'}${word}=${word}`;

/** Headers in which caches and CDNs say where an answer came from, in words. */
const wordHeaders = [
  'x-cache',
  'x-cache-status',
  'x-proxy-cache',
  'x-nginx-cache',
  'x-fastcgi-cache',
  'x-litespeed-cache',
  'x-drupal-cache',
  'x-rack-cache',
  'x-vercel-cache',
  'x-nextjs-cache',
  'cf-cache-status',
  'cdn-cache',
];

/** The answer says that it was kept: by its age (RFC 9111 §5.1), its Cache-Status (RFC 9211), in words, or by two transactions of Varnish. */
export const isFromCache = (answer: Pick<Exchange, 'header'>): boolean =>
  Number(answer.header('age') ?? 0) > 0 ||
  /;\s*hit\b/.test(answer.header('cache-status') ?? '') ||
  wordHeaders.some((name) => /(?:^|[^a-z])(?:hit|stale|fresh)(?![a-z])/i.test(answer.header(name) ?? '')) ||
  /^\d+ \d+$/.test(answer.header('x-varnish')?.trim() ?? '');

/**
 * Whether something keeps answers of this address, and keeps those of two queries apart: both were made anew at first and kept
 * then, by what the answers say, or by values in them that the next query has anew. Only then is it sure that what is asked for
 * with a query of one's own is given to nobody else.
 * @returns an answer as everybody gets it, or undefined
 * @throws ProbeError
 */
export async function keptApart({ http, nonce }: Pick<CheckContext, 'http' | 'nonce'>, url: string) {
  const [own, others] = [unshared(url, nonce()), unshared(url, nonce())];
  const ask = (address: string) => http.get(address, { fresh: true });
  const [first, again] = [await ask(own), await ask(own)];
  const isSaid = isFromCache(again);
  if (isFromCache(first) || !(isSaid || isSame(first, again))) return undefined;
  const other = await ask(others);
  if (isFromCache(other) || first.status !== other.status || (!isSaid && isSame(first, other))) return undefined;
  const otherAgain = await ask(others);
  return (isSaid ? isFromCache(otherAgain) : isSame(other, otherAgain)) ? first : undefined;
}

/** Every answer has its own number in one of these, where it has one. */
const numberHeaders = ['x-request-id', 'x-correlation-id', 'x-trace-id', 'x-runtime', 'x-generation-time'];

const isSame = (a: Exchange, b: Exchange): boolean =>
  a.status === b.status && a.text === b.text && numberHeaders.every((name) => a.header(name) === b.header(name));
