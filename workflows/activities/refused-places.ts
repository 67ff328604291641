import { isLoginForm } from '../checks/inputs/reading-requests.ts';
import type { RefusalCode } from '../model/gate.ts';
import type { OmissionWord, Omitted } from '../model/omission.ts';
import { isSocketUrl, lastMessage } from '../model/socket-messages.ts';
import type { FormSurface, Surface } from '../model/surface.ts';
import type { Gate } from '../probe/gate/gate.ts';
import { calledByMessage } from '../probe/gate/message-words.ts';
import { placeOf } from '../probe/gate/place.ts';
import { partRoute } from '../probe/program-parts.ts';
import { omittedAs, wordOf } from '../survey/left-out.ts';
import { askedOnce } from './asked-gate.ts';
import { gatedSurface, requestOf } from './gated-surface.ts';

/**
 * Places that the survey saw and no check looks at or sends values to, since the gate refuses it: forms and other requests, inputs,
 * pages. Each route counts once, by what refuses it. What checks send some of its values to is not counted.
 * @param others surfaces that have been counted
 * @param gate that knows what the observation of forms showed
 */
export function refusedPlaces(surface: Surface, others: readonly Surface[], given: Pick<Gate, 'decide'>): Omitted[] {
  const gate = askedOnce(given);
  const counted = new Set(others.flatMap((other) => [...refusedIn(other, gate).keys()]));
  const words = new Map<OmissionWord, string[]>();
  for (const [place, code] of refusedIn(surface, gate)) {
    const word = wordOf(code);
    if (word !== undefined && !counted.has(place)) words.set(word, [...(words.get(word) ?? []), place]);
  }
  return [...words].flatMap(([word, [first = '', ...rest]]) => omittedAs(word, rest.length + 1, first));
}

/** Places of a surface that the gate refuses, by why. A form that is sent in the address has the names of its fields behind its place. */
export function refusedIn(surface: Surface, given: Pick<Gate, 'decide'>): Map<string, RefusalCode> {
  const gate = askedOnce(given);
  const refused = new Map<string, RefusalCode>();
  const sent = gatedSurface(surface, gate);
  const skipped = surface.skipped.flatMap(({ url }) => (URL.canParse(url) ? [url] : []));
  const looked = new Set([
    ...sent.pages.map(({ url }) => placeOf('GET', url)),
    ...sent.inputs.map((input) => placeOfRequest(requestOf(input, []))),
    ...surface.forms.filter(isLoginForm).map(({ method, action }) => placeOf(method, action)),
    // The survey has counted these.
    ...skipped.map((url) => placeOf('GET', url)),
  ]);
  const requests = [
    ...surface.inputs.map((input) => requestOf(input, [])),
    ...surface.pages.map(({ url }) => ({ method: 'GET', url, headers: [] })),
    ...surface.forms.filter(({ method }) => method === 'POST').map(({ action }) => postTo(action)),
  ];
  const inputs = surface.inputs.filter(({ method }) => method === 'GET').map((input) => requestOf(input, []).url);
  const isCounted = inAddresses([...inputs, ...surface.pages.map(({ url }) => url), ...skipped]);
  const places = [
    ...requests.map((request) => ({ request, place: placeOfRequest(request) })),
    ...surface.forms.filter((form) => form.method === 'GET' && !isCounted(form)).map(filledIn),
  ];
  for (const { request, place } of places) {
    if (looked.has(place) || refused.has(place)) continue;
    const decision = gate.decide(request);
    if (!decision.allowed) refused.set(place, decision.code);
  }
  return refused;
}

/** One address takes all messages over a WebSocket: each kind is a place of its own. */
function placeOfRequest({
  method,
  url,
  body = '',
}: {
  method: string;
  url: string;
  body?: string | undefined;
}): string {
  const place = placeOf(method, url);
  const called = isSocketUrl(url) ? calledByMessage(lastMessage(url, body)) : undefined;
  return called === undefined ? place : `${place}#${called}`;
}

const postTo = (url: string) => ({ method: 'POST', url, headers: [] });

/** Whether one of some addresses is what a form sends, or a part of it. */
function inAddresses(urls: readonly string[]): (form: FormSurface) => boolean {
  const namesAt = new Map<string, string[][]>();
  for (const url of urls) {
    const names = [...new URL(url).searchParams.keys()];
    const route = partRoute(url);
    if (names.length > 0) namesAt.set(route, [...(namesAt.get(route) ?? []), names]);
  }
  return ({ action, fields }) => {
    const own = new Set(fields.map(({ name }) => name));
    return (namesAt.get(partRoute(action)) ?? []).some((names) => names.every((name) => own.has(name)));
  };
}

function filledIn({ action, fields }: FormSurface) {
  const url = new URL(action);
  url.search = new URLSearchParams(fields.map(({ name, value }) => [name, value])).toString();
  const names = [...new Set(fields.map(({ name }) => name))].sort().join('&');
  const request = { method: 'GET', url: url.href, headers: [] };
  return { request, place: `${placeOf('GET', action)}?${names}` };
}
