import { randomBytes } from 'node:crypto';
import type { Exchange } from '../model/http.ts';
import type { InputSurface } from '../model/surface.ts';
import { piecesOf } from '../probe/html/page-pieces.ts';
import type { SendRequest } from './origins.ts';

const timeoutMs = 8_000;
const maxBodyBytes = 64 * 1024;

/** A file with an ending is a program of its own. */
export const isOwnProgram = (url: string): boolean => /\.\w{1,5}$/.test(new URL(url).pathname);

/**
 * Whether pages that are different ones are the same page with this parameter: one program answers it, whatever the path, as a
 * search that is open everywhere.
 */
export async function isAnsweredAlike(
  send: SendRequest,
  { url, parameter, in: place }: InputSurface,
  known: readonly InputSurface[],
): Promise<boolean> {
  const other = known.find((each) => each.parameter === parameter && each.in === 'query' && each.method === 'GET');
  if (!other || place !== 'query' || isOwnProgram(url) || isOwnProgram(other.url)) return false;
  const value = `k${randomBytes(3).toString('hex')}`;
  const answers = await Promise.all(
    [url, other.url].flatMap((page) => [answerTo(send, page), answerTo(send, page, { parameter, value })]),
  );
  const [usual, here, otherUsual, there] = answers.map(({ status, text }) => (status < 400 ? text : undefined));
  if (usual === undefined || here === undefined || otherUsual === undefined || there === undefined) return false;
  return isSamePage(here, there) && !isSamePage(usual, otherUsual);
}

function answerTo(send: SendRequest, url: string, sent?: { parameter: string; value: string }): Promise<Exchange> {
  const address = new URL(url);
  if (sent) address.searchParams.set(sent.parameter, sent.value);
  return send({ url: address.href, timeoutMs, maxBodyBytes });
}

/** Each has what the other one consists of. */
function isSamePage(one: string, other: string): boolean {
  const [own, others] = [new Set(piecesOf(one)), new Set(piecesOf(other))];
  return own.size === others.size && [...own].every((piece) => others.has(piece));
}
