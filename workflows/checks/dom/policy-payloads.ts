import type { Exchange } from '../../model/http.ts';
import type { InputSurface } from '../../model/surface.ts';
import { policiesOf, restrictsScripts } from '../pages/csp.ts';
import type { Reflection } from './reflection.ts';
import { call } from './script-calls.ts';
import { endOf, type Payload } from './xss-payloads.ts';

/** Parameters that name the function which an answer calls (JSONP). */
const callbackName = /^(?:json_?p?_?)?(?:callback|cb|jsonp|func|function)$/i;
const maxCallbacks = 3;

/**
 * Markup whose script the page's own policy lets through: with a nonce that it gives in two answers, or as an answer of the site that
 * begins with the name of a function of ours. Empty where no policy restricts scripts.
 */
export function policyPayloads(
  reflections: readonly Reflection[],
  answers: readonly [Exchange, Exchange],
  inputs: readonly InputSurface[],
): Payload[] {
  const policies = answers.map(policiesOf);
  if (!policies[0]?.some(restrictsScripts)) return [];
  const [first = [], second = []] = policies.map(noncesIn);
  const nonces = first.filter((nonce) => second.includes(nonce));
  const [{ request }] = answers;
  const callbacks = inputs.filter(
    ({ method, in: place, parameter, url }) =>
      method === 'GET' && place === 'query' && callbackName.test(parameter) && isSameOrigin(url, request.url),
  );
  const markup: Payload[] = [
    ...nonces.map((nonce) => ({ value: `<script nonce="${nonce}">${call}</script>` })),
    ...callbacks.slice(0, maxCallbacks).map((input) => ({
      value: `<script src="${callbackAddress(input)}"></script>`,
      isLoaded: true as const,
    })),
  ];
  const ends = new Set(reflections.map(endOf).filter((end) => end !== undefined));
  return [...ends].flatMap((end) => markup.map((payload) => ({ ...payload, value: end + payload.value })));
}

const noncesIn = (policies: readonly string[]): string[] =>
  policies.flatMap((policy) => [...policy.matchAll(/'nonce-([\w+/=-]{1,200})'/g)].map(([, nonce = '']) => nonce));

const isSameOrigin = (a: string, b: string): boolean => new URL(a).origin === new URL(b).origin;

/** The answer is the call of ours, and what follows it is a comment. */
function callbackAddress({ url, parameter, others }: InputSurface): string {
  const query = others.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`).join('');
  return `${new URL(url).pathname}?${query}${encodeURIComponent(parameter)}=${call}//`;
}
