import type { Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import { voucherWords } from '../../probe/voucher-words.ts';
import { newTrialValues } from '../../proof/template.ts';
import { formInputs } from '../../survey/form-inputs.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, widened } from '../inputs/at-most.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, openInput, requestOfInput } from '../inputs/open-input.ts';
import { formsOf } from '../logins/walked-forms.ts';
import { newVisitor, storeAsVisitor } from '../sessions/visits.ts';
import { contextAs } from '../visitors/as-visitor.ts';
import { basketRequests } from './basket-requests.ts';
import { basketPages, puttingIn } from './basket-visit.ts';
import { codesIn } from './voucher-codes.ts';

/** Who sends codes: an account that the audit has opened; undefined for a visitor without one, in a session of its own. */
export type Redeemer = Identity | undefined;

/** An input that takes a code, and what first puts into a basket what the code is for, where an empty one does not show it. */
export type CodePlace = { input: InputSurface; filling?: InputSurface };

/** What takes the code of a voucher. */
const codeNames =
  /^(?:.*[._-])?(?:coupon|voucher|promo(?:tion)?|discount|gift|bonus|redeem|invite|referral)(?:[_-]?(?:card|code|id))?$|^(?:code|token)$/i;
const [maxPages, maxCodes] = [12, 2] as const;
/** As many as leave something of the price when a voucher was redeemed twice. */
const severalOfOne = '5';

/** Inputs that take such a code, of these. */
function codeInputs(all: readonly InputSurface[]): InputSurface[] {
  const found = all.filter(
    ({ method, in: place, parameter, url, page, title = '' }) =>
      method === 'POST' &&
      place === 'body' &&
      codeNames.test(parameter) &&
      voucherWords.test(`${parameter} ${url} ${page?.url ?? ''} ${title}`),
  );
  return [...new Map(found.map((each) => [`${each.url} ${each.parameter}`, each])).values()];
}

/** Whether anybody sees something that takes a code, or a basket, beside which it may be. */
export const mayTakeCodes = ({ surface, surfaces }: CheckContext): boolean =>
  [surface, ...Object.values(surfaces)].some(
    (each) => codeInputs([...each.inputs, ...(each.heldInputs ?? [])]).length > 0 || basketRequests(each).length > 0,
  );

/** By the surface of the redeemer, which all checks of an activity share. */
const known = new WeakMap<Surface, Promise<CodePlace[]>>();

/** Where the redeemer sees such an input: on a page, or else beside a basket that something was put into. @throws ProbeError, ProofError */
export function codePlaces(context: CheckContext, user: Redeemer): Promise<CodePlace[]> {
  const surface = user ? context.surfaces[user.name] : context.surface;
  if (!surface) return Promise.resolve([]);
  const places = known.get(surface) ?? placesFor(context, user, surface);
  known.set(surface, places);
  return places;
}

async function placesFor(context: CheckContext, user: Redeemer, surface: Surface): Promise<CodePlace[]> {
  const { inputs, heldInputs = [] } = surface;
  const shown = codeInputs([...inputs, ...heldInputs]);
  if (shown.length > 0) return shown.map((input) => ({ input }));
  const filling = basketFilling(context, surface);
  if (!filling || (await shownCodes(context, user)).length === 0) return [];
  const visitor = user ?? newVisitor(context);
  const own = contextAs(context, visitor, surface);
  const { answer } = await filledBy(own, user, visitor, filling);
  if (!answer) return [];
  for (const url of basketPages(own, surface, filling, answer)) {
    const page = await own.http.get(url, { fresh: true });
    const found = codeInputs(formsOf(page).flatMap(formInputs));
    if (found.length > 0) return found.map((input) => ({ input, filling }));
  }
  return [];
}

/** What puts something into a basket, where that may stay. */
function basketFilling({ writes, store }: CheckContext, surface: Surface): InputSurface | undefined {
  const [basket] = writes === 'create' && store ? basketRequests(surface) : [];
  const [quantity] = basket?.quantities ?? [];
  return quantity ? { ...quantity, sample: severalOfOne } : basket?.plain;
}

/** The same place for somebody who has something in the basket: a code may be taken with an empty one, and be worth nothing. */
export function filledPlace(context: CheckContext, user: Redeemer, place: CodePlace): CodePlace | undefined {
  const surface = user ? context.surfaces[user.name] : context.surface;
  const filling = surface && !place.filling ? basketFilling(context, surface) : undefined;
  return filling && { ...place, filling };
}

/** Puts several of one thing into the basket of a redeemer. @param own the context of the redeemer @throws ProbeError, ProofError */
export async function fillBasket(
  own: CheckContext,
  user: Redeemer,
  visitor: Identity,
  filling: InputSurface,
): Promise<OpenedInput> {
  return (await filledBy(own, user, visitor, filling)).opened;
}

async function filledBy(
  own: CheckContext,
  user: Redeemer,
  visitor: Identity,
  filling: InputSurface,
): Promise<{ opened: OpenedInput; answer: Exchange | undefined }> {
  const opened = await openInput(own, filling);
  const request = await requestOfInput(own, opened, puttingIn(opened, opened.sample), newTrialValues(own.nonce));
  const answer = user
    ? await own.store?.(user.name, request, async (each) => each)
    : await storeAsVisitor(own, visitor.jar, request);
  return { opened, answer };
}

/** The same as steps of an experiment. */
export const fillingSteps = (filling: OpenedInput): Step[] =>
  inputSteps(filling, puttingIn(filling, filling.sample), {
    note: 'Something is put into the basket, which shows where a voucher is redeemed.',
    expect: [{ subject: 'status', operator: 'less-than', expected: '400' }],
  });

/** Codes of vouchers that pages show. @throws ProbeError */
export async function shownCodes(context: CheckContext, user: Redeemer): Promise<string[]> {
  const pages = [...context.surface.pages, ...((user && context.surfaces[user.name]?.pages) ?? [])];
  const urls = pages.filter(({ status, contentType }) => status === 200 && /html|json/.test(contentType));
  const codes = new Set<string>();
  const distinct = [...new Set(urls.map(({ url }) => url))];
  for (const url of atMost(context, distinct, widened(context, maxPages), 'pages that may show a voucher')) {
    const { text } = await context.http.get(url, user && { jar: user.jar, headers: user.headers });
    for (const code of codesIn(text)) codes.add(code);
  }
  return atMost(context, [...codes], maxCodes, 'codes of vouchers that pages show');
}
