import { type SerializedPart, scalarsIn } from '../../model/php-values.ts';

/** Of an object with more values than these, the others are tried together with them only. */
const maxAlone = 6;

/**
 * An exception of PHP, which every version has and which describes itself where it is used as a text. Its message and the name of its
 * file
 * are nonces, which have ten characters (`makeNonce`). Source: PHP manual, Exception::__toString.
 */
const exception = (name: string): string => {
  const members = [
    `s:10:"\0*\0message";s:10:"‹nonce›";`,
    `s:7:"\0*\0file";s:10:"‹nonce2›";`,
    `s:7:"\0*\0line";i:‹int›;`,
  ];
  return `O:${name.length}:"${name}":${members.length}:{${members.join('')}}`;
};

/** What an exception says of itself: nothing of the request has these parts in this order, with these words between them. */
export const exceptionWords = '‹nonce› in ‹nonce2›:‹int›';

/** A text of PHP with an exception in it, and the same with a class that nobody has. */
type ExceptionText = { value: string; broken: string };

const textsOf = (write: (object: string) => string): ExceptionText => ({
  value: write(exception('Exception')),
  broken: write(exception('Exceptioq')),
});

/**
 * Texts of PHP that make an exception where an application expects a text: alone, and in the place of the values of a text that the
 * site gave, of all of them at first, and then of each.
 * @param sample as PHP wrote it, in Latin-1
 */
export function exceptionTexts(sample: string): ExceptionText[] {
  const parts = scalarsIn(sample);
  // Of what is not UTF-8 the lengths would not be true any more.
  const isText = Buffer.from(sample, 'latin1').equals(Buffer.from(utf8(sample)));
  if (parts.length === 0 || !isText) return [textsOf((object) => object)];
  const each = parts.length === 1 ? [] : parts.slice(0, maxAlone).map((part) => [part]);
  return [parts, ...each].map((replaced) => textsOf((object) => withParts(sample, replaced, object)));
}

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

function withParts(sample: string, parts: readonly SerializedPart[], object: string): string {
  const kept = parts.map(({ from }, index) => utf8(sample.slice(parts[index - 1]?.to ?? 0, from)) + object);
  return kept.join('') + utf8(sample.slice(parts.at(-1)?.to ?? 0));
}
