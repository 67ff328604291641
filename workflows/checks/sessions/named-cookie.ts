import { createHash } from 'node:crypto';
import { percentDecodedOrSame } from '../../../kit/percent.ts';

/** How a cookie's value is made of a user name. */
export type NamedCookie = { how: string; valueFor(name: string): string };

const digests = ['md5', 'sha1', 'sha256'] as const;
/** What stands beside the name for everybody: words and yes or no. Numbers, and what else may be a secret, nobody makes of a name. */
const plainWord = /^(?:[01]|[A-Za-z]{1,20})$/;
const isPlain = (text: string): boolean =>
  (text.match(/[^\s"'{}[\]:,;|&=_.-]+/g) ?? []).every((word) => plainWord.test(word));

/** How anybody makes a value of a user name: as it is, in an encoding, by a digest, or among words that are the same for all. */
export function madeOfName(value: string, userName: string): NamedCookie | undefined {
  for (const algorithm of digests)
    for (const encoding of ['hex', 'base64'] as const) {
      const make = (name: string) => createHash(algorithm).update(name).digest(encoding);
      if (make(userName) === value)
        return { how: `the ${algorithm.toUpperCase()} digest of the user name`, valueFor: make };
    }
  return decoded(value, userName, 0);
}

function decoded(value: string, userName: string, depth: number): NamedCookie | undefined {
  const rest = value.split(userName);
  if (rest.length > 1)
    return rest.every(isPlain) ? { how: 'the user name', valueFor: (name) => rest.join(name) } : undefined;
  if (depth === 3) return undefined;
  for (const { what, read, write } of codings) {
    const text = read(value);
    const inner = text === undefined || text === value ? undefined : decoded(text, userName, depth + 1);
    if (inner) return { how: `${inner.how} in ${what}`, valueFor: (name) => write(inner.valueFor(name)) };
  }
  return undefined;
}

type Coding = { what: string; read(value: string): string | undefined; write(text: string): string };
const readable = /^[\x20-\x7e]{2,}$/;
/** The text of bytes that are written back as they came. */
const ofBytes = (what: string, encoding: 'base64' | 'base64url' | 'hex'): Coding => ({
  what,
  read(value) {
    const text = Buffer.from(value, encoding).toString('latin1');
    return readable.test(text) && Buffer.from(text, 'latin1').toString(encoding) === value ? text : undefined;
  },
  write: (text) => Buffer.from(text, 'latin1').toString(encoding),
});
const codings: readonly Coding[] = [
  { what: 'percent-encoding', read: percentDecodedOrSame, write: encodeURIComponent },
  ofBytes('base64', 'base64'),
  ofBytes('base64', 'base64url'),
  ofBytes('hexadecimal digits', 'hex'),
];
