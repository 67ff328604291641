import type { Exchange } from '../../model/http.ts';
import { documentTypeOf } from '../../probe/http/document-type.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { newTrialValues, type TrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { type Reflection, reflectionsOf } from '../dom/reflection.ts';
import { canaryAt } from '../inputs/canary.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { requestOfInput, sendInput } from '../inputs/open-input.ts';
import { shaped, shapesOf, type ValueShape } from './value-shapes.ts';

/** A value that comes back in what a browser shows. */
export type Reflected = {
  input: OpenedInput;
  shape: ValueShape;
  reflections: Reflection[];
  /** Places that take an address from its beginning, where the shape has one in front. */
  addresses: Reflection[];
  answer: Exchange;
  /** What stands around the value in the answer. */
  around: string;
  /** The answer leads to the page that shows the value, to whoever sent it alone. */
  isLed?: true;
};

const maxRedirects = 3;
/** Of another site, or of a page of this one. */
const isAddress = /^(?:https?:)?\//i;

/**
 * What a browser runs script in: pages, pictures that are opened as one, and XML, in which elements of HTML are such. Of an answer that
 * leads elsewhere it shows nothing.
 */
export const isShown = (exchange: Exchange): boolean =>
  !(exchange.status >= 300 && exchange.status < 400 && exchange.header('location')) &&
  /^(?:text\/(?:html|xml)|application\/(?:[\w.-]+\+)?xml|image\/svg\+xml)$/.test(documentTypeOf(exchange));

export const isXml = (exchange: Exchange): boolean => /xml$/.test(documentTypeOf(exchange));

/** Looks where a word of our own comes back, in one shape after the other. */
export async function reflectedAt(context: CheckContext, input: OpenedInput): Promise<Reflected | undefined> {
  for (const shape of shapesOf(input)) {
    const { word, exchange } = shape.isBase64
      ? await encodedWordAt(context, input, shape)
      : await canaryAt(context, input, shape.before);
    const found = shownIn(exchange, word, shape) ?? (await shownBehind(context, { input, shape, word, exchange }));
    if (found) return { input, shape, ...found };
  }
  return undefined;
}

async function encodedWordAt(context: CheckContext, input: OpenedInput, shape: ValueShape) {
  const values = newTrialValues(context.nonce);
  const exchange = await sendInput(context, input, inputAction(input, shaped(shape, '‹nonce›')), values);
  return { word: values.get('nonce') ?? '', exchange };
}

type ShownPlaces = Pick<Reflected, 'reflections' | 'addresses' | 'answer' | 'around'>;

function shownIn(answer: Exchange, word: string, { before }: ValueShape): ShownPlaces | undefined {
  if (!isShown(answer)) return undefined;
  const words = [word, word.toUpperCase()].filter((each) => answer.text.includes(each));
  const reflections = words.flatMap((each) => reflectionsOf(answer.text, each));
  if (reflections.length === 0) return undefined;
  const whole = isAddress.test(before) ? reflectionsOf(answer.text, before + word) : [];
  const addresses = whole.filter(({ kind }) => kind === 'url');
  return { reflections, addresses, answer, around: textAround(answer, words[0] ?? word) };
}

/** Characters on each side that distinguish one place of a template from another. */
const nearby = 160;
/** What follows differs with what else is on the page. */
const behind = 20;

/** Without the addresses of pages, which are those of the answer's own in links and forms. */
function textAround({ text, request }: Exchange, word: string): string {
  const at = text.indexOf(word);
  const { pathname } = new URL(request.url);
  // "/a" stands in "</a>" as well.
  const own = new RegExp(`(?<![\\w<])${escapePattern(pathname)}(?!\\w)`, 'g');
  const masked = (part: string) => part.replace(/=(?:"[^"]*"|'[^']*')/g, '=').replace(own, '');
  const before = masked(text.slice(Math.max(0, at - 4 * nearby), at)).slice(-nearby);
  const end = at + word.length;
  return `${before}\0${masked(text.slice(end, end + 4 * nearby)).slice(0, behind)}`;
}

type SentWord = { input: OpenedInput; shape: ValueShape; word: string; exchange: Exchange };

/** Where a form leads on, what was sent may be kept for its sender: the page that follows shows it. What others are shown, too, is stored. */
async function shownBehind(
  context: CheckContext,
  sent: SentWord,
): Promise<(ShownPlaces & { isLed: true }) | undefined> {
  const { input, shape, word, exchange } = sent;
  if (exchange.status < 300 || exchange.status > 399 || context.visitor !== undefined) return undefined;
  const answer = await sendAndFollow(context, input, shaped(shape, word), newTrialValues(context.nonce));
  const shown = shownIn(answer, word, shape);
  if (!shown) return undefined;
  const { url } = answer.request;
  if (!url.includes(word) && (await context.http.get(url, { fresh: true })).text.includes(word)) return undefined;
  return { ...shown, isLed: true };
}

/** Sends a value to where it was seen to come back. @throws ProbeError */
export const sendTo = (
  context: CheckContext,
  { input, isLed }: Pick<Reflected, 'input' | 'isLed'>,
  value: string,
  values: TrialValues,
): Promise<Exchange> =>
  isLed ? sendAndFollow(context, input, value, values) : sendInput(context, input, inputAction(input, value), values);

/** In a session of its own. */
async function sendAndFollow(
  context: CheckContext,
  input: OpenedInput,
  value: string,
  values: TrialValues,
): Promise<Exchange> {
  const request = await requestOfInput(context, input, inputAction(input, value), values);
  return context.http.send({ ...request, jar: context.http.newJar(), maxRedirects });
}
