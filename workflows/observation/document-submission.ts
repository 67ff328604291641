import { documentOf, documentWithValue } from '../checks/inputs/json-inputs.ts';
import { parseJson } from '../model/json.ts';
import { bodyOfMessages } from '../model/socket-messages.ts';
import type { FormSurface, InputSurface, PageToken } from '../model/surface.ts';
import { isFreeText, isTypedPassword } from '../model/typed-text.ts';
import { namesEntry } from '../probe/gate/entries.ts';
import { formKey, keysOfRequest, shapeOfRequest } from '../probe/gate/form-key.ts';
import { graphQlOperations } from '../probe/gate/graphql.ts';
import { isPrivateName } from '../proof/files/private-names.ts';
import { isPageToken } from '../survey/form-inputs.ts';
import { withTokens } from './scripted-tokens.ts';
import type { LeftAlone, Neutral, Submission } from './submission.ts';

/** A request with JSON, XML or a text that a page's script sends, or a document describes: its inputs belong together. */
type DocumentRequest = {
  url: string;
  body: string;
  contentType: string;
  pageUrl: string;
  inputs: readonly InputSurface[];
  /** What its page gives for its headers. */
  tokens: readonly PageToken[];
  /** What its page's scripts send along. */
  ownHeaders: readonly [name: string, value: string][];
  /** What goes before a message over the same connection. */
  before: readonly string[];
  /** A page's script has sent it, and no document alone describes it. */
  isCaptured: boolean;
};

/** Requests with JSON or XML among the inputs of a surface; each once. */
export function documentRequests(inputs: readonly InputSurface[]): DocumentRequest[] {
  // A body is read once, not for each of its inputs.
  const bodies = new Map<string, DocumentRequest & { inputs: InputSurface[] }>();
  for (const input of inputs) {
    const body = documentOf(input);
    if (input.method !== 'POST' || input.in !== 'body' || body === undefined) continue;
    const { url, contentType = 'application/json', page } = input;
    const place = `${url} ${body}`;
    const known = bodies.get(place);
    if (known) known.inputs.push(input);
    else
      bodies.set(place, {
        ...{ url, body, contentType, pageUrl: page?.url ?? url, tokens: page?.tokens ?? [], inputs: [input] },
        ownHeaders: page?.headers ?? [],
        before: input.before ?? [],
        isCaptured: page !== undefined,
      });
  }
  const requests = new Map<string, DocumentRequest>();
  for (const request of bodies.values()) {
    const key = keyOf(request);
    if (!requests.has(key)) requests.set(key, request);
  }
  return [...requests.values()];
}

/** What an observation of a request with this body is kept under. */
const keyOf = ({ url, body, contentType }: DocumentRequest): string =>
  formKey(shapeOfRequest({ method: 'POST', url, headers: [['Content-Type', contentType]], body }));

/** The request as a form with the names of its values, by which it is judged whether it may be tried. */
export const asForm = ({ url, contentType, pageUrl, inputs }: DocumentRequest): FormSurface => ({
  pageUrl,
  action: url,
  method: 'POST',
  enctype: contentType,
  fields: inputs.map(({ parameter, sample, text }) => ({
    name: text ? 'value' : parameter.replace(/^.*\./s, ''),
    // Beside one name it lets somebody in, whatever it is called.
    type: inputs.length === 2 && isTypedPassword(sample) ? 'password' : 'text',
    value: sample,
  })),
});

/** The request with a neutral value in each free text, or in each number when it has no text, and its own values elsewhere. */
export function neutralDocument(
  request: DocumentRequest,
  { word, number }: Neutral,
  sendsOwnValues = false,
): Submission | LeftAlone {
  const { url, contentType, pageUrl, inputs, tokens, ownHeaders } = request;
  const header: [string, string] = ['Content-Type', contentType];
  const texts = inputs.filter((input) => !isNumber(input) && isFreeText(input.sample));
  const numbers = inputs.filter(isNumber);
  const amounts = numbers.filter(({ parameter, sample }) => !namesEntry(parameter, sample));
  const chosen = texts.length > 0 ? texts : amounts.length > 0 ? amounts : numbers;
  if (chosen.length === 0 && !sendsOwnValues) return 'no-free-field';
  const value = texts.length > 0 ? word : number;
  // What is private of an entry is not told by what names it.
  const valueFor = ({ parameter }: InputSurface): string =>
    texts.length > 1 && isPrivateName(parameter.replace(/^.*\./s, '')) ? `${value}q` : value;
  const body = chosen.reduce((text, input) => documentWithValue(input, valueFor(input), text), request.body);
  const words = [...new Set(chosen.map(valueFor))];
  const asked = { method: 'POST' as const, url, headers: [header], body: request.body };
  return withTokens(tokens, {
    ...keysOfRequest(asked),
    ...(graphQlOperations(asked, request.body) === 'queries' ? { queries: true as const } : {}),
    method: 'POST',
    url,
    headers: [header, ['Origin', new URL(pageUrl).origin], ['Referer', pageUrl], ...ownHeaders],
    body: bodyOfMessages([...request.before, body]),
    recordedBody: withoutTokens(body, words),
    words,
    pageUrl,
    takesLongText: false,
  });
}

/** The document as the ledger may keep it: in JSON tokens have names of their own. */
function withoutTokens(body: string, words: readonly string[]): string {
  const isToken = (name: string, value: string) =>
    !words.includes(value) && isPageToken({ type: 'hidden', name, value });
  let hasToken = false;
  const masked = JSON.stringify(parseJson(body), (name, value: unknown) => {
    if (typeof value !== 'string' || !isToken(name, value)) return value;
    hasToken = true;
    return '***';
  });
  return hasToken ? masked : body;
}

/** In JSON a number stands there without quotes; XML has none. */
const isNumber = (input: InputSurface): boolean =>
  input.xml || input.text ? /^\d+$/.test(input.sample) : !/\\?"71\\?"/.test(documentWithValue(input, '71'));
