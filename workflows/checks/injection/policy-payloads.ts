import type { Exchange } from '../../model/http.ts';
import type { InputSurface } from '../../model/surface.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import type { Reflection } from '../dom/reflection.ts';
import { call } from '../dom/script-calls.ts';
import { scriptStateAt } from '../dom/script-state.ts';
import { endOf, type Payload, payloadsFor } from '../dom/xss-payloads.ts';
import { atMost } from '../inputs/at-most.ts';
import { canaryAt } from '../inputs/canary.ts';
import { encodeTemplate, inputUrl } from '../inputs/input-url.ts';
import { policiesOf, restrictsScripts } from '../pages/csp.ts';

/** Parameters that name the function which an answer calls (JSONP). */
const callbackName = /^(?:json_?p?_?)?(?:callback|cb|jsonp|func|function)$/i;
const maxScripts = 3;

/**
 * Markup whose script the page's own policy lets through: with a nonce that it gives in two answers, or as a script of the site that calls
 * a function of ours, or has a value of its address in its code. Empty where no policy restricts scripts.
 */
export async function policyPayloads(
  context: CheckContext,
  reflections: readonly Reflection[],
  answers: readonly [Exchange, Exchange],
): Promise<Payload[]> {
  const policies = answers.map(policiesOf);
  if (!policies[0]?.some(restrictsScripts)) return [];
  const [first = [], second = []] = policies.map(noncesIn);
  const nonces = first.filter((nonce) => second.includes(nonce));
  const markup: Payload[] = nonces.map((nonce) => ({ value: `<script nonce="${nonce}">${call}</script>` }));
  if (policies[0].some((policy) => /'self'|\*|https?:/.test(policy)))
    for (const address of await scriptAddresses(context, answers[0].request.url))
      markup.push({ value: `<script src="${address}"></script>`, isLoaded: true });
  const ends = new Set(reflections.map(endOf).filter((end) => end !== undefined));
  return [...ends].flatMap((end) => markup.map((payload) => ({ ...payload, value: end + payload.value })));
}

const noncesIn = (policies: readonly string[]): string[] =>
  policies.flatMap((policy) => [...policy.matchAll(/'nonce-([\w+/=-]{1,200})'/g)].map(([, nonce = '']) => nonce));

const isSameOrigin = (a: string, b: string): boolean => new URL(a).origin === new URL(b).origin;

/** Addresses of scripts of the site that run code of ours. */
async function scriptAddresses(context: CheckContext, pageUrl: string): Promise<string[]> {
  const { inputs, pages } = context.surface;
  const scripts = new Set(pages.filter(({ contentType }) => /script/.test(contentType)).map(({ url }) => url));
  const ofSite = inputs.filter(
    ({ method, in: place, url }) => method === 'GET' && place === 'query' && isSameOrigin(url, pageUrl),
  );
  const callbacks = ofSite.filter(({ parameter }) => callbackName.test(parameter));
  const others = ofSite.filter((input) => scripts.has(input.url) && !callbacks.includes(input));
  const found = callbacks.slice(0, maxScripts).map((input) => addressOf(input, `${call}//`));
  for (const input of atMost(context, others, maxScripts, 'scripts that take a value')) {
    const payload = await payloadInScript(context, input);
    if (payload !== undefined) found.push(addressOf(input, payload));
  }
  return found;
}

/** A value by which the script calls a function of ours; most need one request, those of a text another one or two. */
async function payloadInScript(context: CheckContext, input: InputSurface): Promise<string | undefined> {
  const { word, exchange } = await canaryAt(context, input);
  const at = exchange.text.indexOf(word);
  if (at === -1 || !/script/.test(exchange.header('content-type') ?? '')) return undefined;
  const payloads = payloadsFor({ kind: 'script', state: scriptStateAt(exchange.text, at) });
  for (const { value } of payloads.filter((each) => !each.value.includes('<')).slice(0, maxScripts)) {
    const values = newTrialValues(context.nonce);
    const { text } = await context.http.get(fill(addressOf(input, value), values));
    const place = text.indexOf(fill(call, values));
    if (place !== -1 && scriptStateAt(text, place) === 'code') return value;
  }
  return undefined;
}

const addressOf = (input: InputSurface, value: string): string => inputUrl(input, encodeTemplate(value));
