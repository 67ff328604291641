import { createHash } from 'node:crypto';
import type { Exchange } from '../model/http.ts';
import { setCookieLine } from './subjects/readers.ts';

/** Counters of small sites; a digest of a larger number is found by whoever tries longer. */
const maxDigested = 50_000;
const algorithms: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };
/** Digests of small numbers by algorithm, made when first asked for. */
const known = new Map<string, ReadonlyMap<string, number>>();

function digests(algorithm: string): ReadonlyMap<string, number> {
  const made =
    known.get(algorithm) ??
    new Map(
      Array.from(
        { length: maxDigested },
        (_, number) => [createHash(algorithm).update(String(number)).digest('hex'), number] as const,
      ),
    );
  known.set(algorithm, made);
  return made;
}

/**
 * The whole number that a text is, stands at the end of, or is a digest or an encoding of, when that is recognisable: a counter, or the
 * time. A digest counts with a number below 50,000 in it.
 */
export function plainNumber(text: string): string | undefined {
  const digits = numberAtEnd(text);
  if (digits !== undefined) return digits;
  const algorithm = /^[0-9a-f]+$/i.test(text) ? algorithms[text.length] : undefined;
  if (algorithm !== undefined) return digests(algorithm).get(text.toLowerCase())?.toString();
  return (
    numberAtEnd(/^(?:[0-9a-f]{2}){4,24}$/i.test(text) ? Buffer.from(text, 'hex').toString('latin1') : '') ??
    numberAtEnd(/^[\w+/-]{2,44}={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('latin1') : '')
  );
}

/** With a word before it, or none: "10413", "user-10413". */
function numberAtEnd(text: string): string | undefined {
  const [, digits] = /^[a-z]{0,12}[-_.:]?(\d{1,15})$/i.exec(text) ?? [];
  return digits === undefined ? undefined : String(Number(digits));
}

/** The number in the value of a cookie that an answer sets. */
export function numberInCookie(exchange: Exchange, name: string): string | undefined {
  const [, value] = /^[^=]*=\s*"?([^;"\s]*)/.exec(setCookieLine(exchange, name) ?? '') ?? [];
  return value === undefined ? undefined : plainNumber(value.replaceAll('%3D', '='));
}
