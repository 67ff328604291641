import { type CaptureRule, claim, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { FormSurface, InputSurface } from '../../model/surface.ts';
import { isPageToken, sentFields } from '../../survey/form-inputs.ts';
import type { CheckContext } from '../contract.ts';
import { createVisit, type Visit } from '../sessions/visits.ts';
import { captureOf, formsOf, openPage, submitting } from './walked-forms.ts';

/** An account of the audit's own: its name, and what it was registered with, by the names of the fields. */
export type KnownAccount = { name: string; known: ReadonlyMap<string, string> };

/** The way through the pages that set a new password, as one account. */
export type ResetWalk = {
  /** Up to the page with the form for the new password, with the name of the account that walks. */
  steps: Step[];
  /** The Cookie header that follows. */
  cookies: string;
  /** The form for the new password, whose name says whose it is. */
  form: FormSurface;
  tokens: CaptureRule[];
  /** Its field that holds the name. */
  nameField: string;
  visit: Visit;
  /** With the form. */
  page: Exchange;
};

const maxPages = 4;
const typed = /^(?:text|email|tel|search|number|textarea|)$/;

export const lasting = (place: string) => ({
  description: 'A new password was asked for, for an account of the audit’s own.',
  place,
  registers: true as const,
});

/**
 * Walks through the pages for a new password as an account of the audit's own, without setting one, until a form for it names the account.
 * @returns undefined where that takes something that only a mail has, or nothing names the account
 * @throws ProofError, ProbeError
 */
export async function walkReset(
  context: CheckContext,
  reset: InputSurface,
  account: KnownAccount,
): Promise<ResetWalk | undefined> {
  const visit = createVisit(context);
  const begin = reset.page?.url ?? reset.url;
  // Its address says that something is done, and was looked at before.
  let answer = await openPage(visit, begin, lasting(begin));
  let form = answer && formsOf(answer).find(({ fields }) => fields.some(({ name }) => name === reset.parameter));
  for (let pages = 0; pages < maxPages && answer && form; pages += 1) {
    const asked = form;
    const tokens = asked.fields.filter(isPageToken).map((field, index) => captureOf(asked, field, index));
    if (!visit.take(tokens)) return undefined;
    if (asked.fields.some(({ type }) => type === 'password')) {
      const named = asked.fields.find(({ value }) => value === account.name);
      const walked = { steps: visit.steps(), cookies: visit.cookies(), visit, page: answer };
      return named && { ...walked, form: asked, tokens, nameField: named.name };
    }
    const values = filledIn(asked, account, pages === 0 ? reset.parameter : undefined);
    if (!values) return undefined;
    const sent = await visit.send({
      http: { ...submitting(asked, tokens, values), lasting: lasting(asked.pageUrl) },
      note: 'It sends the form that the page shows, for an account of its own.',
      expect: [claim('status', 'less-than', '400')],
      hasEffect: true,
    });
    const location = sent?.header('location');
    const target = location === undefined ? undefined : URL.parse(location, sent?.request.url)?.href;
    answer = sent && (target === undefined ? sent : await openPage(visit, target, lasting(asked.pageUrl)));
    form = answer && nextForm(answer, account.name);
  }
  return undefined;
}

/** That with the name, or the only one that asks for something. */
function nextForm(answer: Exchange, name: string): FormSurface | undefined {
  const forms = formsOf(answer);
  const asking = forms.filter(({ fields }) => fields.some(({ type }) => type === 'password' || typed.test(type)));
  return (
    forms.find(({ fields }) => fields.some(({ value }) => value === name)) ??
    (asking.length === 1 ? asking[0] : undefined)
  );
}

/** Values of the fields by name; undefined where one asks for something that the account does not know. */
function filledIn(
  { fields }: FormSurface,
  { name: account, known }: KnownAccount,
  nameField: string | undefined,
): Map<string, string> | undefined {
  const values = new Map<string, string>();
  for (const { name, type, value } of sentFields(fields)) {
    const own = name === nameField ? account : typed.test(type) && value === '' ? known.get(name) : value;
    if (own === undefined) return undefined;
    values.set(name, own);
  }
  return values;
}
