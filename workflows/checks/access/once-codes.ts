import type { HttpAction } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { voucherWords } from '../../probe/voucher-words.ts';
import { ProofError } from '../../proof/proof-error.ts';
import { newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { openInput, requestOfInput } from '../inputs/open-input.ts';
import { newVisitor, storeAsVisitor } from '../sessions/visits.ts';
import { contextAs } from '../visitors/as-visitor.ts';
import { numberBehind, type ShownChange, shownChanges } from './shown-change.ts';
import { codesIn } from './voucher-codes.ts';

/** Who sends codes: an account that the audit has opened; undefined for a visitor without one, in a session of its own. */
export type Redeemer = Identity | undefined;

/** What a code that the site shows does when somebody sends it, once and once more. */
export type SentCode = {
  input: OpenedInput;
  code: string;
  shown: ShownChange;
  /** The second time changed nothing more, or as much again. */
  second: 'nothing' | 'again';
  /** Another spelling that changed as much again, where the second time changed nothing. */
  spelling?: string;
};

/** What takes the code of a voucher. */
const codeNames =
  /^(?:.*[._-])?(?:coupon|voucher|promo(?:tion)?|discount|gift|bonus|redeem|invite|referral)(?:[_-]?(?:card|code|id))?$|^(?:code|token)$/i;
/** Pages that show what an account has. */
const accountPages = /balance|wallet|credit|account|\/me\b|profile|cart|basket|points|dashboard|home|checkout/i;
const [maxPages, maxCodes, maxInputs, maxStates] = [12, 2, 2, 4] as const;

/** By the surface, which all checks of an activity share: an account sends a code that is good once only one time. */
const known = new WeakMap<Surface, Promise<SentCode[]>>();

/** Sends codes that pages show twice. @throws ProbeError, ProofError */
export function sentCodes(context: CheckContext, user: Redeemer): Promise<SentCode[]> {
  const sent = known.get(context.surface) ?? sendCodes(context, user);
  known.set(context.surface, sent);
  return sent;
}

/** Inputs that take such a code, of those that the redeemer sees. */
export function codeInputs({ surface: open, surfaces }: CheckContext, user: Redeemer): InputSurface[] {
  const surface = user ? surfaces[user.name] : open;
  const all = [...(surface?.inputs ?? []), ...(surface?.heldInputs ?? [])];
  const found = all.filter(
    ({ method, in: place, parameter, url, page, title = '' }) =>
      method === 'POST' &&
      place === 'body' &&
      codeNames.test(parameter) &&
      voucherWords.test(`${parameter} ${url} ${page?.url ?? ''} ${title}`),
  );
  return [...new Map(found.map((each) => [`${each.url} ${each.parameter}`, each])).values()];
}

async function sendCodes(context: CheckContext, user: Redeemer): Promise<SentCode[]> {
  const inputs = codeInputs(context, user);
  const codes = inputs.length === 0 ? [] : await shownCodes(context, user);
  const found: SentCode[] = [];
  for (const input of atMost(context, inputs, maxInputs, 'inputs for a voucher'))
    for (const code of codes) {
      const sent = await sendCode(context, user, input, code).catch(unlessUnsent);
      if (sent) found.push(sent);
    }
  return found;
}

/** What the gate or the scope does not allow is left out. */
function unlessUnsent(error: unknown): undefined {
  if (error instanceof ProofError || (error instanceof ProbeError && error.code !== 'canceled')) return undefined;
  throw error;
}

async function shownCodes(context: CheckContext, user: Redeemer): Promise<string[]> {
  const pages = [...context.surface.pages, ...((user && context.surfaces[user.name]?.pages) ?? [])];
  const urls = pages.filter(({ status, contentType }) => status === 200 && /html|json/.test(contentType));
  const codes = new Set<string>();
  const distinct = [...new Set(urls.map(({ url }) => url))];
  for (const url of atMost(context, distinct, maxPages, 'pages that may show a voucher')) {
    const { text } = await context.http.get(url, user && { jar: user.jar, headers: user.headers });
    for (const code of codesIn(text)) codes.add(code);
  }
  return atMost(context, [...codes], maxCodes, 'codes of vouchers that pages show');
}

export const redeeming = (input: OpenedInput, code: string): HttpAction => ({
  ...inputAction(input, code),
  lasting: {
    description: `The voucher ${code}, which a page of the site shows, was sent by an account or a visit of the audit's own.`,
    place: input.page?.url ?? input.url,
  },
});

/** Other accounts have other names before it. */
const withoutName = (context: string, name: string | undefined): string =>
  name && context.includes(name) ? context.slice(context.lastIndexOf(name) + name.length) : context;

async function sendCode(
  context: CheckContext,
  user: Redeemer,
  input: InputSurface,
  code: string,
): Promise<SentCode | undefined> {
  const { nonce } = context;
  const surface = user ? context.surfaces[user.name] : context.surface;
  if (!context.store || !surface) return undefined;
  const visitor = user ?? newVisitor(context);
  const own = contextAs(context, visitor, surface);
  const opened = await openInput(own, input);
  const pages = surface.pages.filter(({ url, status }) => status === 200 && accountPages.test(namedPath(url)));
  const urls = [input.page?.url ?? visitor.checkUrl, visitor.checkUrl, ...pages.map(({ url }) => url)];
  const states = atMost(context, [...new Set(urls)], maxStates, 'pages of an account');
  // One after the other: each answer may give the cookie anew that holds what the visitor has.
  const read = async () => {
    const texts: string[] = [];
    for (const url of states) texts.push((await own.http.get(url, { fresh: true })).text);
    return texts;
  };
  const send = async (spelling: string) => {
    const request = await requestOfInput(own, opened, redeeming(opened, spelling), newTrialValues(nonce));
    if (user) await context.store?.(user.name, request, async () => undefined);
    else await storeAsVisitor(context, visitor.jar, request);
    // A message that is shown once is gone after the first look.
    await read();
    return read();
  };
  const before = await read();
  const first = await send(code);
  const changes = states
    .flatMap((url, index) => shownChanges(url, before[index] ?? '', first[index] ?? ''))
    .map((change) => ({ ...change, context: withoutName(change.context, user?.userName) }));
  if (changes.length === 0) return undefined;
  const second = await send(code);
  const among = { states, changes };
  const again = amongShown(among, second, 'again');
  if (again) return { input: opened, code, shown: again, second: 'again' };
  const shown = amongShown(among, second, 'nothing');
  if (!shown) return undefined;
  const once = { input: opened, code, shown, second: 'nothing' } as const;
  for (const spelling of [code.toLowerCase(), `${code} `])
    if (amongShown({ states, changes: [shown] }, await send(spelling), 'again')) return { ...once, spelling };
  return once;
}

/** The change that one more try has made, as it was after the first: the same amount again, or nothing. */
function amongShown(
  { states, changes }: { states: readonly string[]; changes: readonly ShownChange[] },
  texts: readonly string[],
  wanted: SentCode['second'],
): ShownChange | undefined {
  return changes.find((shown) => {
    const then = numberBehind(texts[states.indexOf(shown.url)] ?? '', shown.context);
    if (then === undefined) return false;
    if (wanted === 'nothing' || then === shown.after) return wanted === 'nothing' && then === shown.after;
    const [start, once, twice] = [shown.before, shown.after, then].map((text) => Number(text.replace(',', '.')));
    return Math.abs((twice ?? 0) - (once ?? 0) - ((once ?? 0) - (start ?? 0))) < 0.005;
  });
}
