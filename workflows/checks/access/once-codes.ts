import type { HttpAction } from '../../model/experiment.ts';
import type { Surface } from '../../model/surface.ts';
import { newTrialValues } from '../../proof/template.ts';
import { unlessUnsent } from '../accounts/unless-unsent.ts';
import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { openInput, requestOfInput } from '../inputs/open-input.ts';
import { newVisitor, storeAsVisitor } from '../sessions/visits.ts';
import { contextAs } from '../visitors/as-visitor.ts';
import { accountStates, withoutName } from './account-states.ts';
import { type CodePlace, codePlaces, fillBasket, filledPlace, type Redeemer, shownCodes } from './code-places.ts';
import { numberBehind, type ShownChange, shownChanges } from './shown-change.ts';

/** What a code that the site shows does when somebody sends it, once and once more. */
export type SentCode = {
  input: OpenedInput;
  /** Puts into a basket what the code is for. */
  filling?: OpenedInput;
  code: string;
  shown: ShownChange;
  /** The second time changed nothing more, or as much again. */
  second: 'nothing' | 'again';
  /** Another spelling that changed as much again, where the second time changed nothing. */
  spelling?: string;
};

const maxInputs = 2;

/** By the surface, which all checks of an activity share: an account sends a code that is good once only one time. */
const known = new WeakMap<Surface, Promise<SentCode[]>>();

/** Sends codes that pages show twice. @throws ProbeError, ProofError */
export function sentCodes(context: CheckContext, user: Redeemer): Promise<SentCode[]> {
  const sent = known.get(context.surface) ?? sendCodes(context, user);
  known.set(context.surface, sent);
  return sent;
}

async function sendCodes(context: CheckContext, user: Redeemer): Promise<SentCode[]> {
  const places = await codePlaces(context, user);
  const codes = places.length === 0 ? [] : await shownCodes(context, user);
  const found: SentCode[] = [];
  for (const place of atMost(context, places, maxInputs, 'inputs for a voucher'))
    for (const code of codes) {
      const filled = filledPlace(context, user, place);
      const sent =
        (await sendCode(context, user, place, code).catch(unlessUnsent)) ??
        (filled && (await sendCode(context, user, filled, code).catch(unlessUnsent)));
      if (sent) found.push(sent);
    }
  return found;
}

export const redeeming = (input: OpenedInput, code: string): HttpAction => ({
  ...inputAction(input, code),
  lasting: {
    description: `The voucher ${code}, which a page of the site shows, was sent by an account or a visit of the audit's own.`,
    place: input.page?.url ?? input.url,
  },
});

async function sendCode(
  context: CheckContext,
  user: Redeemer,
  { input, filling }: CodePlace,
  code: string,
): Promise<SentCode | undefined> {
  const { nonce } = context;
  const surface = user ? context.surfaces[user.name] : context.surface;
  if (!context.store || !surface) return undefined;
  const visitor = user ?? newVisitor(context);
  const own = contextAs(context, visitor, surface);
  const filled = filling && (await fillBasket(own, user, visitor, filling));
  const opened = await openInput(own, input);
  const place = { input: opened, ...(filled && { filling: filled }) };
  const states = accountStates(context, surface, visitor, input);
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
  if (again) return { ...place, code, shown: again, second: 'again' };
  const shown = amongShown(among, second, 'nothing');
  if (!shown) return undefined;
  const once = { ...place, code, shown, second: 'nothing' } as const;
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
