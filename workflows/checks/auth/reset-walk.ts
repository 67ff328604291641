import { type CaptureRule, claim, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { FormSurface, InputSurface } from '../../model/surface.ts';
import { pathOf } from '../../probe/html/submission.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { isPageToken, sentFields } from '../../survey/form-inputs.ts';
import { parsePage } from '../../survey/page.ts';
import { createVisit, type Visit } from '../access/visits.ts';
import type { CheckContext } from '../contract.ts';
import { encodeTemplate } from '../inputs/input-url.ts';

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
};

type FormField = FormSurface['fields'][number];

const maxPages = 4;
const typed = /^(?:text|email|tel|search|number|textarea|)$/;

const lasting = (place: string) => ({
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
  let answer = await open(visit, reset.page?.url ?? reset.url);
  let form = answer && formsOf(answer).find(({ fields }) => fields.some(({ name }) => name === reset.parameter));
  for (let pages = 0; pages < maxPages && answer && form; pages += 1) {
    const asked = form;
    const tokens = asked.fields.filter(isPageToken).map((field, index) => captureOf(asked, field, index));
    if (!visit.take(tokens)) return undefined;
    if (asked.fields.some(({ type }) => type === 'password')) {
      const named = asked.fields.find(({ value }) => value === account.name);
      return named && { steps: visit.steps(), cookies: visit.cookies(), form: asked, tokens, nameField: named.name };
    }
    const values = filledIn(asked, account, pages === 0 ? reset.parameter : undefined);
    if (!values) return undefined;
    const sent = await visit.send({
      http: submitting(asked, tokens, values),
      note: 'It sends the form that the page shows, for an account of its own.',
      expect: [claim('status', 'less-than', '400')],
      hasEffect: true,
    });
    const location = sent?.header('location');
    const target = location === undefined ? undefined : URL.parse(location, sent?.request.url)?.href;
    answer = sent && (target === undefined ? sent : await open(visit, target));
    form = answer && nextForm(answer, account.name);
  }
  return undefined;
}

async function open(visit: Visit, url: string): Promise<Exchange | undefined> {
  return visit.send({
    http: { url },
    note: 'Somebody who has no session opens the page.',
    expect: [claim('status', 'equals', '200')],
  });
}

const formsOf = (answer: Exchange): FormSurface[] =>
  isHtml(answer) && answer.status === 200
    ? parsePage(answer.text, answer.request.url).forms.filter(
        ({ method, action }) => method === 'POST' && new URL(action).origin === new URL(answer.request.url).origin,
      )
    : [];

/** That with the name, or the only one that asks for something. */
function nextForm(answer: Exchange, name: string): FormSurface | undefined {
  const forms = formsOf(answer);
  const asking = forms.filter(({ fields }) => fields.some(({ type }) => type === 'password' || typed.test(type)));
  return (
    forms.find(({ fields }) => fields.some(({ value }) => value === name)) ??
    (asking.length === 1 ? asking[0] : undefined)
  );
}

const captureOf = ({ action }: FormSurface, { name }: FormField, index: number): CaptureRule => ({
  ...{
    name: `walked${index + 1}`,
    subject: `body:form:${pathOf(action)} ${name}`,
    pattern: '(?m)^(.+)$',
    secret: true,
  },
});

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

/** A form with these values; its tokens are those that its page has given. */
export function submitting(
  form: FormSurface,
  tokens: readonly CaptureRule[],
  values: ReadonlyMap<string, string>,
): HttpAction {
  const { action, pageUrl, fields } = form;
  const given = new Map(fields.filter(isPageToken).map(({ name }, index) => [name, `‹${tokens[index]?.name}›`]));
  const pairs = [...values].map(([name, value]) => [name, given.get(name) ?? value] as const);
  return {
    method: 'POST',
    url: action,
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeTemplate(value)}`).join('&'),
    lasting: lasting(pageUrl),
  };
}
