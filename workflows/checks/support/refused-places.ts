import type { OmissionWord, Omitted } from '../../orchestration/omissions.ts';
import { omittedAs, wordOf } from '../../probe/crawl/left-out.ts';
import type { Gate } from '../../probe/gate/gate.ts';
import { placeOf } from '../../probe/gate/place.ts';
import type { RefusalCode } from '../../probe/gate/types.ts';
import type { Surface } from '../contract.ts';
import { gatedSurface, requestOf } from './gated-surface.ts';
import { isLoginForm } from './reading-requests.ts';

/**
 * Places that the survey saw and no check looks at or sends values to, since the gate refuses it: forms and other requests, inputs,
 * pages. Each route counts once, by what refuses it. What checks send some of its values to is not counted.
 * @param others surfaces that have been counted
 * @param gate that knows what the observation of forms showed
 */
export function refusedPlaces(surface: Surface, others: readonly Surface[], gate: Pick<Gate, 'decide'>): Omitted[] {
  const counted = new Set(others.flatMap((other) => [...refusedIn(other, gate).keys()]));
  const words = new Map<OmissionWord, string[]>();
  for (const [place, code] of refusedIn(surface, gate)) {
    const word = wordOf(code);
    if (word !== undefined && !counted.has(place)) words.set(word, [...(words.get(word) ?? []), place]);
  }
  return [...words].flatMap(([word, [first = '', ...rest]]) => omittedAs(word, rest.length + 1, first));
}

/** Places of a surface that the gate refuses, by why. */
export function refusedIn(surface: Surface, gate: Pick<Gate, 'decide'>): Map<string, RefusalCode> {
  const refused = new Map<string, RefusalCode>();
  const sent = gatedSurface(surface, gate);
  const looked = new Set([
    ...sent.pages.map(({ url }) => placeOf('GET', url)),
    ...sent.inputs.map(({ method, url }) => placeOf(method, url)),
    ...surface.forms.filter(isLoginForm).map(({ method, action }) => placeOf(method, action)),
    // The survey has counted these.
    ...surface.skipped.map(({ url }) => (URL.canParse(url) ? placeOf('GET', url) : '')),
  ]);
  const requests = [
    ...surface.inputs.map((input) => requestOf(input, [])),
    ...surface.pages.map(({ url }) => ({ method: 'GET', url, headers: [] })),
    ...surface.forms.map(({ method, action }) => ({ method, url: action, headers: [] })),
  ];
  for (const request of requests) {
    const place = placeOf(request.method, request.url);
    if (looked.has(place) || refused.has(place)) continue;
    const decision = gate.decide(request);
    if (!decision.allowed) refused.set(place, decision.code);
  }
  return refused;
}
