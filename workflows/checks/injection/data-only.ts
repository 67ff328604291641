import type { Exchange } from '../../model/http.ts';
import { piecesOf } from '../../probe/html/page-pieces.ts';
import { documentTypeOf } from '../../probe/http/document-type.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { textBesides, unknownWord, wordsOf } from './answer-words.ts';
import { answerKnown, once } from './asked-once.ts';
import { unlessBroken } from './computed-result.ts';
import { takesLeadingNumber, takesNumbersOnly } from './number-inputs.ts';
import { plainAgain } from './plain-again.ts';
import { withoutRandomValues } from './random-values.ts';
import { isOperator } from './sql-comparisons.ts';
import { askerOf } from './sql-decision.ts';
import { givenValue, isKnown, odd } from './unparsable.ts';

/**
 * Looks at an input only where its value may get as far as an interpreter. All checks ask the same first, so that the cache answers:
 * two requests for a file, nine or ten for a number.
 */
export const unlessDataOnly =
  <T>(context: CheckContext, look: (input: OpenedInput) => Promise<T | undefined>) =>
  async (input: OpenedInput): Promise<T | undefined> =>
    (await isDataOnly(context, input)) ? undefined : look(input);

/** The same for a look that begins with fewer requests than the question takes: it goes by what another check has found out. */
export const unlessKnownDataOnly =
  <T>(context: CheckContext, look: (input: OpenedInput) => Promise<T | undefined>) =>
  async (input: OpenedInput): Promise<T | undefined> =>
    (await answerKnown<boolean>(context, input, 'data only')) ? undefined : look(input);

/** The same for weaknesses in statements, expressions and commands: some eighteen requests for a value that is looked up unchanged. */
export const unlessLookedUp = <T>(context: CheckContext, look: (input: OpenedInput) => Promise<T | undefined>) =>
  unlessDataOnly<T>(context, async (input) => ((await isLookedUpOnce(context, input)) ? undefined : look(input)));

/** A value that an interpreter never gets. @throws ProbeError */
export const staysData = async (context: CheckContext, input: OpenedInput): Promise<boolean> =>
  (await isDataOnly(context, input)) || (await isLookedUpOnce(context, input));

const isDataOnly = once(
  'data only',
  async (context, input) =>
    (await isFile(context, input)) ||
    (await takesNumbersOnly(context, input)) ||
    (await takesLeadingNumber(context, input)),
);
const readsOnce = once('read as', readsAsOthers);

const isLookedUpOnce: typeof isDataOnly = async (context, input) => (await readsOnce(context, input)) === 'key';

/** The site's own value and another text of the same meaning to an interpreter are answered alike, and unknown words are not. */
export const isInterpreted: typeof isDataOnly = async (context, input) =>
  (await readsOnce(context, input)) === 'interpreted';

/**
 * Changes that keep the meaning of a value wherever an interpreter reads it: in a statement, an expression, a command or a filter, in
 * and out of
 * quotes. The site's own value is one that works.
 */
const sameTo: ((value: string) => string)[] = [
  (value) => `(${value})`,
  // A text within the value, as in the call of a procedure.
  (value) => value.replace(/'[^']*'(?=[^']*$)/, '($&)'),
  // What follows an operator has a sign.
  (value) => (isOperator(value) ? `${value}+` : value),
  (value) => `${value};`,
  (value) => (/\d$/.test(value) ? `${value}-0` : value),
  (value) => `${value}/**/`,
  (value) => `${value}*`,
  // A sign by its code is itself in a filter of a directory.
  (value) => value.replace(/^[a-z]/i, (sign) => `\\${sign.charCodeAt(0).toString(16)}`),
  (value) => (/^[\w@/.:*-]+$/.test(value) ? `${value}[true()]` : value),
  (value) => `${value}<!---->`,
  ...["'", '"'].flatMap((q) =>
    ['', ...(q === "'" ? ['||'] : []), ' ', '+', '.', `and${q}a${q}=${q}a`, `)and contains(${q}a${q},${q}a`].map(
      (between) => (value: string) => `${value}${q}${between}${/a$/.test(between) ? '' : q}`,
    ),
  ),
];

type ReadAs = 'key' | 'interpreted' | 'unclear';

/** By the surface, which all checks of an activity share. */
const readBefore = new WeakMap<object, Map<string, Promise<ReadAs>[]>>();
/** So many values that are looked up in one place stand for the others there. */
const enoughKeys = 2;

/** Inputs that are sent an unknown word by the same request are one place with several values of the site's, as the last part of an address. */
async function readsAsOthers(context: CheckContext, input: OpenedInput): Promise<ReadAs> {
  const places = readBefore.get(context.surface) ?? new Map<string, Promise<ReadAs>[]>();
  readBefore.set(context.surface, places);
  const place = JSON.stringify(inputAction(input, unknownWord));
  const asked = places.get(place) ?? [];
  places.set(place, asked);
  if (asked.length >= enoughKeys && input.sample !== '') {
    const read = await Promise.all(asked.map((each) => each.catch(() => 'unclear')));
    if (read.every((each) => each === 'key')) return 'key';
  }
  const own = readsAs(context, input);
  if (asked.length < enoughKeys) asked.push(own);
  return own;
}

/**
 * Whether a value is compared unchanged, as a router or a bound parameter does: of all that an interpreter could not distinguish from the
 * site's own one, nothing is answered as that is and as what cannot be parsed is not.
 * @throws ProbeError
 */
async function readsAs(context: CheckContext, input: OpenedInput): Promise<ReadAs> {
  const value = givenValue(input);
  if (!isKnown(input)) return 'unclear';
  const ask = askerOf(context, input);
  const usual = await ask(value);
  const isLikeUsual = keepsWhatIsLost(usual, value, { sent: value + odd, answer: await ask(value + odd) });
  if (usual.status >= 400 || !isLikeUsual) return 'unclear';
  const meansTheSame = async (sent: string): Promise<ReadAs | undefined> => {
    const answer = await ask(sent);
    if (answer.status === 429) return 'unclear';
    if (!isLikeUsual(sent, answer)) return undefined;
    const isUsual = wordsOf(answer, [sent, value]) === wordsOf(usual, [value]);
    return isUsual && isJoined(sent) ? 'interpreted' : 'unclear';
  };
  // A pattern for lines takes a value of which one line fits.
  const written = [...sameTo.map((write) => write(value)), `${value}\n${unknownWord}`].filter((sent) => sent !== value);
  // What has to end as the site's own value does is refused before anything uses it.
  const [, stem = '', end = ''] = /^(.+?)(\.\w{1,5})$/s.exec(value) ?? [];
  const ended = async () => {
    const [alone, behind] = [await ask(unknownWord), await ask(unknownWord + end)];
    if (end === '' || wordsOf(alone, [unknownWord]) === wordsOf(behind, [unknownWord + end])) return [];
    return [stem + odd, ...sameTo.map((write) => write(stem))]
      .filter((each) => each !== stem)
      .map((each) => each + end);
  };
  for (const sent of written) {
    const read = await meansTheSame(sent);
    if (read) return read;
  }
  for (const sent of await ended()) if (await meansTheSame(sent)) return 'unclear';
  // Of a page that changes with each request nothing is known.
  return isLikeUsual(value, await plainAgain(context, input, value)) ? 'key' : 'unclear';
}

/**
 * Tells answers that have something of what the site's own value shows and what cannot be parsed does not, or lack something of what
 * the latter alone shows. Undefined where both are answered alike.
 */
function keepsWhatIsLost(
  usual: Exchange,
  value: string,
  broken: { sent: string; answer: Exchange },
): ((sent: string, answer: Exchange) => boolean) | undefined {
  const pieces = (sent: string, { text }: Exchange) =>
    piecesOf(withoutRandomValues(textBesides(text, [sent, value], "'")));
  const [own, others] = [pieces(value, usual), pieces(broken.sent, broken.answer)];
  const [lost, added] = [
    own.filter((piece) => !others.includes(piece)),
    others.filter((piece) => !own.includes(piece)),
  ];
  if (usual.status === broken.answer.status && lost.length + added.length === 0) {
    // The same in another order.
    const words = wordsOf(usual, [value]);
    const isOrdered = words !== undefined && words !== wordsOf(broken.answer, [broken.sent, value]);
    return isOrdered ? (sent, answer) => wordsOf(answer, [sent, value]) === words : undefined;
  }
  return (sent, answer) => {
    if (answer.status !== usual.status) return false;
    const shown = new Set(pieces(sent, answer));
    if (lost.length > 0) return lost.some((piece) => shown.has(piece));
    return added.length === 0 || added.some((piece) => !shown.has(piece));
  };
}

/** What a shell takes for the value itself, in each kind of quotes and in none: a command that does nothing may follow. */
const sameToShell = ["''", '""', '$()', '``', ';:', '|cat', '\n:'];

/**
 * Whether something that a shell could not distinguish from the site's own value is answered as that is, and as what cannot be parsed is
 * not; also where that cannot be told.
 * @throws ProbeError
 */
export const mayBeInShell = once('may be in a shell', async (context, input) => {
  const value = givenValue(input);
  const ask = askerOf(context, input);
  const usual = await ask(value);
  const isLikeUsual = keepsWhatIsLost(usual, value, { sent: value + odd, answer: await ask(value + odd) });
  if (!isKnown(input) || usual.status >= 400 || !isLikeUsual) return true;
  for (const each of sameToShell) {
    const answer = await ask(value + each).catch(unlessBroken);
    if (answer === undefined || isLikeUsual(value + each, answer)) return true;
  }
  return !isLikeUsual(value, await plainAgain(context, input, value));
});

/** Two texts with what joins them: no program takes them for one that does not read a language. */
const isJoined = (sent: string): boolean => /(['"])(?:\|\||[+. ])\1$/.test(sent);

const fileName = /\.(?:m?js|css|map|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico)$/i;
const fileType = /^(?:text\/(?:css|javascript)|application\/(?:x-)?javascript|font\/|image\/)/;

/**
 * Whether a parameter only names the version of a file for caches, or is there for the page's own script: with any other text it is the
 * same file. @throws ProbeError
 */
async function isFile(context: CheckContext, input: OpenedInput): Promise<boolean> {
  if (input.in !== 'query') return false;
  const hasFileName = fileName.test(input.url.replace(/[?#].*$/s, ''));
  const ask = askerOf(context, input);
  const usual = await ask(givenValue(input));
  if (usual.status !== 200 || !(hasFileName ? fileType.test(documentTypeOf(usual)) : isServedFile(usual))) return false;
  const other = await ask(givenValue(input) + odd);
  return other.status === 200 && Buffer.compare(usual.body, other.body) === 0;
}

/** As servers send what they read from the disk: no program names when its answer was written, and takes parts of it. RFC 9110 §8.8, §14.3. */
const isServedFile = (answer: Exchange): boolean =>
  answer.header('last-modified') !== undefined &&
  answer.header('accept-ranges') === 'bytes' &&
  answer.header('set-cookie') === undefined;
