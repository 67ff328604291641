import { createHash } from 'node:crypto';
import { plainNumber } from '../../proof/plain-number.ts';
import { disguises, encodings } from './text-codings.ts';

/** Of whom a cookie is: the user name, and the number of the account where it has one. */
type CookieOwner = { name: string; number: string };

/** How a cookie's value is made of what is known of a user. */
export type NamedCookie = {
  how: string;
  /** The number of the account that is in it, perhaps as a digest. */
  number?: string;
  valueFor(owner: CookieOwner): string;
};

const digests = ['md5', 'sha1', 'sha256'] as const;
/** What stands beside the name for everybody: words and yes or no. What else may be a secret, nobody makes of a name. */
const plainWord = /^(?:[01]|[A-Za-z]{1,20})$/;
/** Numbers of accounts are counted; a longer one may be drawn, or a time. */
const accountNumber = /^[1-9]\d{0,5}$/;
const word = /[^\s"'{}[\]:,;|&=_.-]+/g;

/** How anybody makes a value of a user: of the name or the account's number, in an encoding, by a digest, or among words that are the same for all. */
export function madeOfUser(value: string, userName: string): NamedCookie | undefined {
  for (const algorithm of digests)
    for (const encoding of ['hex', 'base64'] as const) {
      const make = (text: string) => createHash(algorithm).update(text).digest(encoding);
      const how = `the ${algorithm.toUpperCase()} digest of`;
      if (make(userName) === value) return { how: `${how} the user name`, valueFor: ({ name }) => make(name) };
      const number = encoding === 'hex' ? plainNumber(value) : undefined;
      if (number !== undefined && make(number) === value)
        return { how: `${how} the account’s number`, number, valueFor: (owner) => make(owner.number) };
    }
  return decoded(value, userName, 0);
}

function decoded(value: string, userName: string, depth: number, isDisguised = false): NamedCookie | undefined {
  const plain = inPlainWords(value, userName);
  if (plain) return plain;
  if (depth === 3) return undefined;
  for (const coding of [...encodings, ...(isDisguised ? [] : disguises)]) {
    const { what, read, write } = coding;
    const text = read(value);
    if (text === undefined || text === value) continue;
    // A parameter with the digest of a name is one beside the name alone.
    const inner = decoded(text, userName, depth + 1, isDisguised || disguises.includes(coding));
    if (inner) return { ...inner, how: `${inner.how} in ${what}`, valueFor: (owner) => write(inner.valueFor(owner)) };
  }
  return undefined;
}

/** The name, or a number of an account, or both, and nothing else that differs. */
function inPlainWords(value: string, userName: string): NamedCookie | undefined {
  const around = value.split(userName);
  const ofName = digests.flatMap((algorithm) => {
    const digest = createHash(algorithm).update(userName).digest('hex');
    return value.includes(digest) ? [{ algorithm, digest }] : [];
  })[0];
  const rest = (ofName ? value.replaceAll(ofName.digest, '') : value).split(userName);
  const isNamed = around.length > 1;
  const numbers: string[] = [];
  for (const each of rest.join(' ').match(word) ?? []) {
    if (plainWord.test(each)) continue;
    if (!accountNumber.test(each) || numbers.length > 0) return undefined;
    numbers.push(each);
  }
  const [number] = numbers;
  if (!isNamed && number === undefined) return undefined;
  const parts = [
    ...(isNamed ? ['the user name'] : []),
    ...(ofName ? [`its ${ofName.algorithm.toUpperCase()} digest`] : []),
    ...(number === undefined ? [] : ['the account’s number']),
  ];
  const valueFor = (owner: CookieOwner): string => {
    const renamed = isNamed ? value.split(userName).join(owner.name) : value;
    const digested = ofName
      ? renamed.replaceAll(ofName.digest, createHash(ofName.algorithm).update(owner.name).digest('hex'))
      : renamed;
    return number === undefined ? digested : digested.replace(new RegExp(`(?<!\\w)${number}(?!\\w)`), owner.number);
  };
  return { how: parts.join(' and '), ...(number === undefined ? {} : { number }), valueFor };
}
