import { type CaptureRule, claim, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { FormSurface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { isPageToken, sentFields } from '../../survey/form-inputs.ts';
import type { CheckContext } from '../contract.ts';
import { createVisit, type Visit } from '../sessions/visits.ts';
import { offersLogout } from './signs.ts';
import { captureOf, formsOf, openPage, submitting } from './walked-forms.ts';

/** Somebody who can log in. */
export type WalkingAccount = { name: string; password: string; isSecret: boolean };

/** A login that takes several pages, up to the last one. */
type LoginWalk = {
  visit: Visit;
  /** The form that ends it, as its page has it. */
  form: FormSurface;
  tokens: CaptureRule[];
  /** What the answers have put into cookies. */
  given: ReadonlyMap<string, string>;
};

const typed = /^(?:text|email|tel)$/;
const maxPages = 3;

/**
 * Goes through a login as an account until its next page asks for the password, or for nothing but to go on.
 * @returns undefined where one page is all there is, or the next one asks for something else
 * @throws ProofError, ProbeError
 */
export async function walkLogin(
  context: CheckContext,
  pageUrl: string,
  account: WalkingAccount,
): Promise<LoginWalk | { visit: Visit }> {
  const visit = createVisit(context);
  const given = new Map<string, string>();
  let answer = await openPage(visit, pageUrl);
  let isBegun = false;
  for (let pages = 0; pages < maxPages && answer; pages += 1) {
    keepCookies(given, answer);
    // Behind the login there are forms about anything.
    if (isBegun && offersLogout(answer)) break;
    const form = formsOf(answer).find((each) => isOfLogin(each, isBegun));
    if (!form) break;
    const tokens = form.fields.filter(isPageToken).map((field, index) => captureOf(form, field, index));
    if (!visit.take(tokens)) break;
    if (isBegun) return { visit, form, tokens, given };
    const sent = await goOn(visit, { form, tokens }, account);
    if (sent) keepCookies(given, sent);
    answer = sent && (await pageAfterwards(visit, sent));
    isBegun = true;
  }
  return { visit };
}

/** What is about an account or a password, and no login. */
const otherWords =
  /regist|sign[-_ ]?up|creat|new|add|join|reset|forgot|recover|chang|invit|delet|remov|set|install|sav|updat|edit|profil|order|buy|pay|transfer|log[-_ ]?out|sign[-_ ]?out|old|current|repeat|confirm/i;
const ofForms = /^(?:hidden|submit|button|text|email|tel|password|checkbox)$/;

/** First a name, with or without a password; then a password alone, or nothing that somebody types. */
function isOfLogin({ action, pageUrl, label = '', fields }: FormSurface, isBegun: boolean): boolean {
  const words = [new URL(action).pathname, new URL(pageUrl).pathname, label, ...fields.map(({ name }) => name)];
  if (otherWords.test(words.join(' ')) || !fields.every(({ type }) => ofForms.test(type))) return false;
  const asked = fields.filter(({ type }) => typed.test(type) || type === 'password');
  const open = asked.filter(({ value }) => value === '');
  if (!isBegun) return typed.test(asked[0]?.type ?? '') && asked.length <= 2;
  return open.every(({ type }) => type === 'password') && open.length <= 1;
}

/** Sends a form of the login: the name in the first field, the password where one is asked for. */
export async function goOn(
  visit: Visit,
  { form, tokens }: Pick<LoginWalk, 'form' | 'tokens'>,
  account: WalkingAccount,
  changed: { field?: string; name: string } = { name: account.name },
): Promise<Exchange | undefined> {
  try {
    return await visit.send({
      http: requestOf({ form, tokens }, account, changed),
      note: 'It sends the form that the page shows.',
      expect: [claim('status', 'less-than', '500')],
      hasEffect: true,
    });
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}

function requestOf(
  { form, tokens }: Pick<LoginWalk, 'form' | 'tokens'>,
  account: WalkingAccount,
  changed: { field?: string; name: string },
) {
  const values = sentFields(form.fields).map(({ name, type, value }): [string, string] => {
    if (name === changed.field) return [name, value.replace(account.name, changed.name)];
    if (type === 'password') return [name, account.password];
    return [name, typed.test(type) && value === '' ? account.name : value];
  });
  const http = { ...submitting(form, tokens, new Map(values)), ofLogin: true as const };
  return account.isSecret ? { ...http, secrets: [account.password] } : { ...http, invented: [account.password] };
}

/** The page that an answer leads to, or is. */
export async function pageAfterwards(visit: Visit, answer: Exchange): Promise<Exchange | undefined> {
  const target = targetOf(answer);
  return target === undefined ? answer : openPage(visit, target);
}

/** Where an answer leads on the same site. */
export function targetOf({ header, status, request }: Exchange): string | undefined {
  const target = status >= 300 && status < 400 ? URL.parse(header('location') ?? '', request.url) : null;
  return target?.origin === new URL(request.url).origin ? target.href : undefined;
}

function keepCookies(given: Map<string, string>, answer: Exchange): void {
  for (const line of answer.headerValues('set-cookie')) {
    const [, name, value = ''] = /^\s*([^=;]+)=([^;]*)/.exec(line) ?? [];
    if (name !== undefined) given.set(name, value);
  }
}

/** The same requests in a control, where each may be refused. */
export const mayBeRefused = (steps: readonly Step[]): Step[] =>
  steps.map((step) => ({ ...step, expect: [claim('status', 'present')], mayEndControl: true as const }));
