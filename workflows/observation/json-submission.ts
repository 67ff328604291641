import { jsonWith } from '../checks/inputs/json-inputs.ts';
import type { FormSurface, InputSurface } from '../model/surface.ts';
import { formKey, keysOfRequest, shapeOfRequest } from '../probe/gate/form-key.ts';
import type { LeftAlone, Neutral, Submission } from './submission.ts';

/** A request with JSON that a page's script sends, or a document describes: its inputs belong together. */
type JsonRequest = { url: string; body: string; pageUrl: string; inputs: readonly InputSurface[] };

const jsonHeader: [string, string] = ['Content-Type', 'application/json'];

/** Requests with JSON among the inputs of a surface; each once. */
export function jsonRequests(inputs: readonly InputSurface[]): JsonRequest[] {
  // A body is read once, not for each of its inputs.
  const bodies = new Map<string, JsonRequest & { inputs: InputSurface[] }>();
  for (const input of inputs) {
    if (input.method !== 'POST' || input.in !== 'body' || input.json === undefined) continue;
    const { url, json, page } = input;
    const place = `${url} ${json.body}`;
    const known = bodies.get(place);
    if (known) known.inputs.push(input);
    else bodies.set(place, { url, body: json.body, pageUrl: page?.url ?? url, inputs: [input] });
  }
  const requests = new Map<string, JsonRequest>();
  for (const request of bodies.values()) {
    const key = keyOf(request.url, request.body);
    if (!requests.has(key)) requests.set(key, request);
  }
  return [...requests.values()];
}

/** What an observation of a request with this body is kept under. */
const keyOf = (url: string, body: string): string =>
  formKey(shapeOfRequest({ method: 'POST', url, headers: [jsonHeader], body }));

/** The request as a form with the names of its values, by which it is judged whether it may be tried. */
export const asForm = ({ url, pageUrl, inputs }: JsonRequest): FormSurface => ({
  pageUrl,
  action: url,
  method: 'POST',
  enctype: 'application/json',
  fields: inputs.map(({ parameter, sample }) => ({
    name: parameter.replace(/^.*\./s, ''),
    type: 'text',
    value: sample,
  })),
});

/** The request with a neutral value in each free text, or in each number when it has no text, and its own values elsewhere. */
export function neutralJson(
  request: JsonRequest,
  { word, number }: Neutral,
  sendsOwnValues = false,
): Submission | LeftAlone {
  const { url, pageUrl, inputs } = request;
  const texts = inputs.filter((input) => !isNumber(input) && isFreeText(input.sample));
  const chosen = texts.length > 0 ? texts : inputs.filter(isNumber);
  if (chosen.length === 0 && !sendsOwnValues) return 'no-free-field';
  const value = texts.length > 0 ? word : number;
  const body = chosen.reduce(
    (text, { json }) => jsonWith({ body: text, pointer: json?.pointer ?? '' }, value),
    request.body,
  );
  return {
    ...keysOfRequest({ method: 'POST', url, headers: [jsonHeader], body: request.body }),
    method: 'POST',
    url,
    headers: [jsonHeader, ['Origin', new URL(pageUrl).origin], ['Referer', pageUrl]],
    body,
    recordedBody: body,
    words: chosen.length === 0 ? [] : [value],
    pageUrl,
    takesLongText: false,
  };
}

/** A number stands there without quotes. */
const isNumber = ({ json }: InputSurface): boolean => json !== undefined && !jsonWith(json, '71').includes('"71"');

/** Addresses, dates, identifiers and names of constants are no free texts. */
export const isFreeText = (sample: string): boolean =>
  !/^(?:https?:|[^\s@]+@[^\s@]+$|\d{4}-\d{2}-\d{2}|[0-9a-f-]{20,}$|true$|false$)/i.test(sample) &&
  !/^[A-Z][A-Z0-9_]+$/.test(sample);
