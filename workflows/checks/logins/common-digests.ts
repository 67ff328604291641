import { createHash } from 'node:crypto';
import { commonPasswords } from './common-passwords.ts';
import { commonWords } from './common-words.ts';

/** Digests without a salt by how many hexadecimal digits they have. Sources: RFC 1321, RFC 3174, RFC 6234. */
const algorithms: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' };

export const isDigest = (text: string): boolean => /^[\da-f]+$/i.test(text) && algorithms[text.length] !== undefined;

/** How people make a password of a word that is asked for more than that. */
const endings = ['', '1', '123', '!', '1!', '123!', '2023', '2024', '2025', '2026'];

/** Digests of one kind, with what they were made of; computed when the first of the kind is met, a tenth of a second. */
const known = new Map<string, Map<string, string>>();

function digestsBy(algorithm: string): Map<string, string> {
  const before = known.get(algorithm);
  if (before) return before;
  const words = new Set([...commonPasswords, ...commonWords]);
  const all = [...words].flatMap((word) =>
    [word, word.charAt(0).toUpperCase() + word.slice(1)].flatMap((each) => endings.map((ending) => each + ending)),
  );
  const digests = new Map(all.map((word) => [createHash(algorithm).update(word).digest('hex'), word]));
  known.set(algorithm, digests);
  return digests;
}

/** The common password that an unsalted digest was made of; undefined where it is none that is known. */
export function commonWordOf(digest: string): string | undefined {
  const algorithm = algorithms[digest.length];
  return algorithm === undefined ? undefined : digestsBy(algorithm).get(digest.toLowerCase());
}
