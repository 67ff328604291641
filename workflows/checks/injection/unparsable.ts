import { randomInt } from 'node:crypto';
import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { Exchange } from '../../model/http.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import { piecesOf } from '../../probe/html/page-pieces.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { once } from './asked-once.ts';
import { plainAgain } from './plain-again.ts';
import { withoutRandomValues, withoutWords } from './random-values.ts';
import { askerOf } from './sql-decision.ts';

/** Quotes, a separator and a parenthesis that no language of commands, code or queries can make sense of behind a value. */
export const odd = `'"\`;|&)`;

/** What our browser types into a field of a script is nothing that the site says of itself. */
const typed = 'test';

/** The site itself has used a value for it. */
export const isKnown = ({ sample }: Pick<OpenedInput, 'sample'>): boolean => sample !== '' && sample !== typed;

/** What stands for a value where the site gives none: a number is one in every language. */
export const givenValue = ({ sample }: OpenedInput): string => (sample === '' ? '1' : sample);

/**
 * Whether a value that cannot be parsed is answered otherwise than the site's own value. Where nothing shows, no language takes
 * the value, or none whose results the page shows. Decided once for an input.
 * @throws ProbeError
 */
export const showsUnparsable = once('shows what cannot be parsed', looksOtherwise);

async function looksOtherwise(context: CheckContext, input: OpenedInput): Promise<boolean> {
  const ask = askerOf(context, input);
  const value = givenValue(input);
  const base = await ask(value);
  const broken = await ask(value + odd);
  if (base.status !== broken.status) return true;
  const [usual, other] = [without(base, value, value), without(broken, value + odd, value)];
  if (usual === other) return false;
  const again = without(await plainAgain(context, input, value), value, value);
  if (usual === again) return true;
  // Of a page that changes with each request, only the constant parts can be compared.
  const lasting = piecesOf(usual).filter((piece) => again.includes(piece));
  const lacking = lasting.filter((piece) => !other.includes(piece));
  if (lacking.length === 0 || !input.isStored) return lacking.length > 0;
  // A page that goes on showing what it was sent lacks what was sent later.
  const later = without(await ask(value + odd, true), value + odd, value);
  return lacking.some((piece) => !later.includes(piece));
}

/**
 * What cannot be parsed is answered as the site's own value is, besides being repeated: nothing is looked up, opened or run by the value
 * whose result the page shows. @throws ProbeError
 */
export const makesNoDifference: typeof showsUnparsable = async (context, input) =>
  isKnown(input) && !(await showsUnparsable(context, input));

/** The same answer besides the value itself, which it shows or hands on in a header: that is what the value is for. @throws ProbeError */
export const isOnlyRepeated: typeof showsUnparsable = async (context, input) => {
  if (await showsUnparsable(context, input)) return false;
  const value = givenValue(input);
  const answer = await askerOf(context, input)(value + odd);
  const shown = [answer.text, ...answer.headers.map(([, header]) => percentDecodedOrSame(header))].map(decodedText);
  return shown.some((text) => text.toLowerCase().includes(decodedText(value + odd).toLowerCase()));
};

/** What most names and words contain. */
const common = 'a';

/**
 * The same of a search for which the site has no value of its own: one that hides its errors answers what cannot be parsed like the
 * number that stands for a value, of which it has nothing either. What is common in texts shows the difference.
 */
const losesWhatItFinds = once('loses what it finds', async (context, input) => {
  if (isKnown(input) || input.isStored) return false;
  const ask = askerOf(context, input);
  const [found, broken] = [await ask(common), await ask(common + odd)];
  return found.status < 400 && without(found, common, common) !== without(broken, common + odd, common);
});

/** Either of them: the value may stand in a query. @throws ProbeError */
export const mayBeInQuery = async (context: CheckContext, input: OpenedInput): Promise<boolean> =>
  (await showsUnparsable(context, input)) || losesWhatItFinds(context, input);

/**
 * The same, where another number is answered otherwise, too: that one can be parsed, and is merely another value. What is answered
 * alike whatever cannot be parsed and whatever is unknown takes values as data.
 */
export const failsToParse = once('fails to parse', isNoOtherValue);

async function isNoOtherValue(context: CheckContext, input: OpenedInput): Promise<boolean> {
  if (!(await showsUnparsable(context, input))) return false;
  const [ask, value, other] = [askerOf(context, input), givenValue(input), String(randomInt(1_000, 10_000))];
  const [broken, parsed] = [await ask(value + odd), await ask(other)];
  return (
    broken.status !== parsed.status ||
    without(broken, value + odd, value) !== without(parsed, other, value) ||
    // A language that evaluates a number shows it, and nothing of what it cannot parse.
    repeats(broken, value + odd) !== repeats(parsed, other)
  );
}

const repeats = ({ text }: Exchange, sent: string): boolean => decodedText(text).includes(decodedText(sent));

/** A page without what was sent, and without the site's own value, which it may show in any case. */
const without = ({ text }: Exchange, sent: string, value: string): string =>
  withoutRandomValues(withoutWords(decodedText(text), [decodedText(sent), value]));
