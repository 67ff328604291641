import { type CaptureRule, claim, type HttpAction, type Step, type Subject } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface, PageToken } from '../../model/surface.ts';
import { secretNames } from '../../probe/gate/words/fields.ts';
import { pathOf } from '../../probe/html/submission.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { cookieName } from '../../proof/subjects/readers.ts';
import { subjectValue } from '../../proof/subjects.ts';
import { fill, fillCapture, type TrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from './input-request.ts';
import { type Given, letServeAgain, sendOpened } from './kept-opening.ts';
import type { PageOpening } from './opening.ts';

type OpeningContext = Pick<CheckContext, 'http' | 'visitor'>;

const maxCookies = 8;
/** Longer than a page takes; a page that never answers must not use up the time of all. */
const timeoutMs = 8_000;

/**
 * Looks at the page of an input whose requests need something of it. Forms with a token are answered by what was given with it in
 * one session only, so that both are taken anew, unless the site was seen to take them again.
 * @throws ProbeError
 */
export async function openInput(context: OpeningContext, input: InputSurface): Promise<OpenedInput> {
  const opening = await openingOf(context, input);
  return opening ? { ...input, opening } : input;
}

/** By the surface, which all checks of an activity share. */
const openings = new WeakMap<object, Map<string, Promise<PageOpening | undefined>>>();

/** The same for checks that look at many inputs with one session: what is known of a page serves for all its inputs. @throws ProbeError */
export async function openInputOnce(
  context: OpeningContext & { surface: object },
  input: InputSurface,
): Promise<OpenedInput> {
  const shared = openings.get(context.surface) ?? new Map<string, Promise<PageOpening | undefined>>();
  openings.set(context.surface, shared);
  const key = JSON.stringify([context.visitor, input.page, input.url]);
  // The check that asked first may have been ended meanwhile.
  const before = await shared.get(key)?.catch(() => undefined);
  if (before) return { ...input, opening: before };
  const asked = openingOf(context, input);
  shared.set(key, asked);
  const opening = await asked;
  // Sites count the logins of a session.
  if (opening && !input.others.some(({ name }) => secretNames.test(name))) letServeAgain(opening);
  return opening ? { ...input, opening } : input;
}

async function openingOf({ http, visitor }: OpeningContext, input: InputSurface): Promise<PageOpening | undefined> {
  const { page } = input;
  if (!page || page.tokens.length === 0) return undefined;
  const exchange = await http.get(page.url, { timeoutMs });
  const isGiven = ({ value }: TokenRule): boolean => capturedFrom(exchange, value) !== undefined;
  const tokens = page.tokens.map((token, index) => givenBy(token, `token${index + 1}`, input.url)).filter(isGiven);
  // A visitor's cookies are in the session, which goes with each request.
  const cookies = visitor === undefined ? cookiesOf(exchange) : [];
  if (tokens.length === 0) return undefined;
  return {
    url: page.url,
    captures: [...cookies.map(({ rule }) => rule), ...tokens.map(({ value }) => value)],
    fields: Object.fromEntries(
      tokens.flatMap(({ token, value }) => ('field' in token ? [[token.field, `‹${value.name}›`]] : [])),
    ),
    headers: [
      ...(cookies.length > 0
        ? [['Cookie', cookies.map(({ pair }) => pair).join('; ')] satisfies [string, string]]
        : []),
      ...tokens.flatMap(({ token, value }): [string, string][] =>
        'header' in token ? [[token.header, `‹${value.name}›`]] : [],
      ),
    ],
  };
}

type TokenRule = { token: PageToken; value: CaptureRule };

/** Where the page has it. */
function givenBy(token: PageToken, name: string, action: string): TokenRule {
  const rule = (subject: Subject, pattern: string): TokenRule => ({
    token,
    value: { name, subject, pattern, secret: true },
  });
  if ('field' in token) return rule(`body:form:${pathOf(action)} ${token.field}`, '(?m)^(.+)$');
  // Laravel's has a percent sign at its end, where base64 can do without what follows.
  if ('cookie' in token) return rule(`cookie:${token.cookie}`, '^[^=]*=([^;%]+)');
  if ('behind' in token) return rule('body', `${anyQuotes(token.behind)}([^"'<>\\s&\\\\]+)`);
  const named = `\\bname=["']?${escapePattern(token.meta)}["'\\s/>]`;
  const content = `\\bcontent=["']?([^"'\\s>]+)`;
  return rule('body', `(?i)<meta\\b[^>]*${named}[^>]*${content}`);
}

/** Headers that a page's script sends along, with what the page gives for them. */
export const tokenHeaders = (page: Exchange, tokens: readonly PageToken[]): [name: string, value: string][] =>
  tokens.flatMap((token): [string, string][] => {
    if ('field' in token) return [];
    const value = capturedFrom(page, givenBy(token, 'token', page.request.url).value);
    return value === undefined ? [] : [[token.header, value]];
  });

/** Hidden fields of a form as its page has them now. @param action of the form */
export const tokenFields = (page: Exchange, tokens: readonly PageToken[], action: string): Map<string, string> =>
  new Map(
    tokens.flatMap((token): [string, string][] => {
      if (!('field' in token)) return [];
      const value = capturedFrom(page, givenBy(token, 'token', action).value);
      return value === undefined ? [] : [[token.field, value]];
    }),
  );

/** A browser writes the quotes of attributes otherwise than the page had them. */
const anyQuotes = (text: string): string =>
  text
    .split(/&quot;|&#(?:34|39|x27);|["']/)
    .map(escapePattern)
    .join(`(?:["']|&quot;|&#(?:34|39|x27);)`);

/** The cookies that an answer sets, each as what captures it and how it is sent back. */
export function cookiesOf(exchange: Exchange, prefix = 'cookie'): { rule: CaptureRule; pair: string }[] {
  const names = exchange.headerValues('set-cookie').map(cookieName);
  return [...new Set(names)]
    .filter((name) => name !== '')
    .flatMap((name, index) => {
      const rule: CaptureRule = {
        name: `${prefix}${index + 1}`,
        subject: `cookie:${name}`,
        pattern: '^[^=]*=([^;]+)',
        secret: true,
      };
      return index < maxCookies && capturedFrom(exchange, rule) !== undefined
        ? [{ rule, pair: `${name}=‹${rule.name}›` }]
        : [];
    });
}

export function capturedFrom(exchange: Exchange, { subject, pattern }: CaptureRule): string | undefined {
  const match = firstMatch(pattern, subjectValue({ kind: 'http', exchange }, subject) ?? '');
  return match?.groups[0] || undefined;
}

/**
 * An input's request with the values of one trial in it, as a visitor sends it who has just come to its page where it needs that.
 * @throws ProbeError
 */
export async function requestOfInput(
  context: OpeningContext,
  { opening }: OpenedInput,
  action: HttpAction,
  values: TrialValues,
): Promise<HttpAction> {
  for (const [name, value] of opening ? await openPage(context, opening, values) : []) values.set(name, value);
  return filled(action, values);
}

/** @throws ProbeError */
async function openPage({ http }: OpeningContext, opening: PageOpening, values: TrialValues): Promise<Given> {
  const page = await http.get(opening.url, { timeoutMs, fresh: true });
  return new Map(
    opening.captures.map((rule) => {
      const value = capturedFrom(page, fillCapture(rule, values));
      if (value === undefined) throw new ProbeError('protocol_error', `${opening.url} has no ${rule.subject} any more`);
      return [rule.name, value];
    }),
  );
}

function filled(action: HttpAction, values: TrialValues): HttpAction {
  const { headers = [], body } = action;
  return {
    ...action,
    url: fill(action.url, values),
    headers: headers.map(([name, value]) => [fill(name, values), fill(value, values)] as const),
    ...(body === undefined ? {} : { body: fill(body, values) }),
  };
}

/** Sends an input's request. @throws ProbeError */
export async function sendInput(
  context: OpeningContext,
  { opening }: OpenedInput,
  action: HttpAction,
  values: TrialValues,
  { fresh = false, longestMs = timeoutMs }: { fresh?: boolean; longestMs?: number } = {},
): Promise<Exchange> {
  const send = () => {
    const { method = 'GET', url, headers = [], body } = filled(action, values);
    const limits = { timeoutMs: longestMs, closingIsAnswer: true };
    const sent = { method, url, headers, ...(body === undefined ? {} : { body }), ...limits };
    // A nonce or a token in it makes it another one each time.
    const isUnique = Object.keys(values.all()).length > 0;
    return context.http.send({ ...sent, ...(fresh ? { fresh } : isUnique ? { isUnique } : { isRepeatable: true }) });
  };
  if (!opening) return send();
  const sendWith = (given: Given) => {
    for (const [name, value] of given) values.set(name, value);
    return send();
  };
  return sendOpened(opening, { open: () => openPage(context, opening, values), send: sendWith });
}

/** The same as steps of an experiment; the claims are those of the last one. */
export const inputSteps = ({ opening }: OpenedInput, http: HttpAction, step: Omit<Step, 'http'>): Step[] => [
  ...(opening
    ? [
        {
          http: { url: opening.url },
          note: 'A visitor opens the page that the request is sent from, which gives a token and the cookie that it belongs to.',
          expect: [claim('status', 'less-than', '400')],
          capture: opening.captures,
        },
      ]
    : []),
  { ...step, http } as Step,
];
