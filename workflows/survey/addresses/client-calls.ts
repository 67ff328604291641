import type { CodeToken } from './whole-texts.ts';

/**
 * What the client of an API puts before the addresses of its calls, and those calls: `create({ baseURL: '/api' })`, `.get('/orders')`.
 * @property wrapped bases of functions that a program has around `fetch`, whose calls look as all calls do
 * @property asked paths of calls that only read @property others paths that are given to other functions
 */
export type ClientCalls = Record<CallKind, string[]> & {
  /** How many were beyond the limits. */
  left: number;
};

type CallKind = 'bases' | 'wrapped' | 'asked' | 'others';

export type ClientCallReader = {
  /**
   * @param text one that code holds
   * @param before the tokens before it
   * @returns whether it is the address of a call, which is none without its base
   */
  read(text: string, before: readonly CodeToken[]): boolean;
  found(): ClientCalls;
};

/** Tokens by which a call is recognised. */
export const callTokens = 10;

const limits: Record<CallKind, number> = { bases: 8, wrapped: 4, asked: 500, others: 200 };
/** Members that hold one, as HTTP clients and settings name them. Source: documentation of Axios, ofetch, Ky and Angular. */
const ofBase =
  /^(?:base|prefix|api|backend|server|service|root|rest)_?(?:(?:base|root|host|url|uri|path|prefix|endpoint)_?)+$/i;
const base = /^(?:https?:\/\/[\w.-]+(?::\d+)?)?(?:\/[\w.~-]+)*\/?$/;
/** Whatever stands behind it begins with "/", so that it is no address of one thing. */
const wrappedBase = /^(?:https?:\/\/[\w.-]+(?::\d+)?)?(?:\/[\w.~-]+)*\/(?:api|rest|rpc|backend|services?|v\d{1,2})$/i;
const asks = /^(?:get|head|request)$/i;
const sends = /^(?:post|put|patch|delete|del)$/i;
const methods = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/i;
/** Functions that move the browser, and none that ask. */
const moves = /^(?:push|replace|navigate|redirect|open|import|require|Worker|URL)$/;

/** Reads what stands before a text: minifiers leave names of members as they are. @param hole stands for a value */
export function clientCallReader(hole: string): ClientCallReader {
  const found: Record<CallKind, Set<string>> = {
    bases: new Set(),
    wrapped: new Set(),
    asked: new Set(),
    others: new Set(),
  };
  let left = 0;
  const note = (kind: CallKind, text: string): true => {
    if (found[kind].size < limits[kind]) found[kind].add(text);
    else if (!found[kind].has(text)) left += 1;
    return true;
  };
  const readCall = (text: string, before: readonly CodeToken[]): boolean => {
    const { method, tokens } = withoutMethod(calleeOf(before));
    const [receiver, dot, callee, opening] = tokens.slice(-4);
    if (opening?.label !== '(' || !/^(?:name|delete)$/.test(callee?.label ?? '')) return false;
    const name = String(callee?.value);
    const isMethod = /^\??\.$/.test(dot?.label ?? '');
    const isPut = before.at(-1)?.label === '+/-' || text.startsWith(hole);
    const path = text.startsWith(hole) ? text.slice(hole.length) : text;
    if (name === 'fetch' && text.endsWith(hole) && wrappedBase.test(text.slice(0, -hole.length)))
      return note('wrapped', text.slice(0, -hole.length));
    if (!/^\/[\w~]/.test(path) || /^(?:\$|jQuery)$/.test(String(receiver?.value))) return false;
    if (isMethod && asks.test(name)) return note('asked', path);
    // What is only sent to is no address to ask for.
    if ((isMethod && sends.test(name)) || (method !== undefined && sends.test(method))) return true;
    if (name === 'fetch') return isPut && note('asked', path);
    if ((!isMethod || method !== undefined) && !isPut && !moves.test(name)) note('others', path);
    return false;
  };
  return {
    read(text, before) {
      const isBase = text.length > 1 && text.length < 200 && base.test(text);
      if (isBase && isOfBase(before)) return !note('bases', text.replace(/\/$/, ''));
      return readCall(text, before);
    },
    found: () => ({
      bases: [...found.bases],
      wrapped: [...found.wrapped],
      asked: [...found.asked],
      others: [...found.others],
      left,
    }),
  };
}

/** `baseURL: '…'`, or what stands for a setting that is missing: `baseURL: settings.API ?? '…'`. */
function isOfBase(before: readonly CodeToken[]): boolean {
  const isElse = /^(?:\?\?|\|\|)$/.test(before.at(-1)?.label ?? '');
  const sign = isElse ? before.findLastIndex(({ label }) => /^[:=]$/.test(label)) : before.length - 1;
  const named = before[sign - 1];
  if (!/^[:=]$/.test(before[sign]?.label ?? '') || !/^(?:name|string)$/.test(named?.label ?? '')) return false;
  return ofBase.test(String(named?.value));
}

/** Up to the bracket of the call, where a name stands before the text: `get(this.base + '/orders'`. */
function calleeOf(before: readonly CodeToken[]): readonly CodeToken[] {
  if (before.at(-1)?.label !== '+/-') return before;
  const index = before.findLastIndex(({ label }) => !/^(?:name|this|\??\.|\+\/-)$/.test(label));
  return before.slice(0, index + 1);
}

/** Programs have functions around `fetch` that take the method first: `call('GET', '/orders'`. */
function withoutMethod(before: readonly CodeToken[]): { method?: string; tokens: readonly CodeToken[] } {
  const [opening, first, comma] = before.slice(-3);
  const isFirst = opening?.label === '(' && first?.label === 'string' && comma?.label === ',';
  if (!isFirst || !methods.test(String(first.value))) return { tokens: before };
  return { method: String(first.value), tokens: before.slice(0, -2) };
}
