import { askedBy } from '../checks/accounts/asked-fields.ts';
import { accountField, isBeyondName, type RegisteredAccount } from '../checks/accounts/registrations.ts';
import type { HttpAction } from '../model/experiment.ts';
import type { FormSurface } from '../model/surface.ts';
import { neutralForm } from '../observation/submission.ts';
import { attributeOf, isElement, nodesOf } from '../probe/html/tree.ts';
import { fillerFor } from '../survey/form-inputs.ts';
import { shapedFields } from './shaped-fields.ts';

/** What is sent in a field for the code of an invitation. */
export type SentInvitation = { field: string; value: string };

type RegistrantFields = {
  account: RegisteredAccount;
  invitation?: SentInvitation | undefined;
  code?: string | undefined;
};

export const invitationField = /invit|referral|(?:access|join|member(?:ship)?|sign-?_?up|beta)[-_]?(?:code|key)/i;
export const codeField = /code|otp|token|pin$|confirm|verif|activat/i;
const ownTypes = /^(?:date|datetime-local|month|time|tel|number|url)$/;
/** Of somebody who is of age. */
const birthday = '1990-01-31';
/** Boxes that make of a new account something else than a user's, or order something. */
const otherBox = /news|market|offer|subscri|promo|admin|staff|vendor|seller|premium/i;
const noText = /^(?:hidden|submit|checkbox|radio|select)$/;
const freeText = /^(?:text|textarea)$/;
const shapedText = /^(?:text|tel)$/;
/** Shorter ones are no names that nobody has, and no passwords. */
const fewestSigns = 6;

/** A form as somebody fills it in who has this account. */
export function filledForm(
  form: FormSurface,
  html: string,
  { account, invitation, code }: RegistrantFields,
): HttpAction | undefined {
  const sent = neutralForm(form, html, { word: account.name, number: '30' }, true);
  if (typeof sent === 'string' || sent.method !== 'POST') return undefined;
  const body = new URLSearchParams(sent.body);
  const asked = askedBy(form.fields);
  const shapes = shapedFields(html);
  for (const { name, type, value, isUnticked } of form.fields) {
    const kind = noText.test(type) ? undefined : accountField(name, asked);
    if (kind) body.set(name, account[kind]);
    else if (name === invitation?.field) body.set(name, invitation.value);
    else if (invitationField.test(name)) body.set(name, '');
    else if (code !== undefined && type !== 'hidden' && codeField.test(name)) body.set(name, code);
    else if (type === 'checkbox' && isUnticked && !otherBox.test(name)) body.set(name, value || 'on');
    else if (account.text !== undefined && freeText.test(type) && body.get(name) === account.name && isBeyondName(name))
      body.set(name, account.text);
    else if (body.get(name) === '' && ownTypes.test(type))
      body.set(name, type === 'date' ? birthday : fillerFor({ type }));
    const shape = shapedText.test(type) && !(kind && kind !== 'password') ? shapes.get(name) : undefined;
    if (shape && !shape.takes.test(body.get(name) ?? '')) body.set(name, shape.text);
  }
  const { method, url, headers } = sent;
  return { method, url, headers, body: body.toString() };
}

/** The account by names and a password that its form takes, which may say how long they are. Source: HTML Standard §4.10.18.3. */
export function fittedAccount(account: RegisteredAccount, { fields }: FormSurface, html: string): RegisteredAccount {
  const lengths = lengthsIn(html);
  const asked = askedBy(fields);
  const fitted = { ...account };
  for (const { name, type } of fields) {
    const kind = noText.test(type) ? undefined : accountField(name, asked);
    const length = lengths.get(name) ?? Number.POSITIVE_INFINITY;
    if (!kind || length < fewestSigns || fitted[kind].length <= length) continue;
    const at = kind === 'mail' ? fitted.mail.indexOf('@') : fitted[kind].length;
    const kept = at - (fitted[kind].length - length);
    if (kept > 0) fitted[kind] = fitted[kind].slice(0, kept) + fitted[kind].slice(at);
  }
  return fitted;
}

/** The most that fields of a page take, by their names. */
function lengthsIn(html: string): Map<string, number> {
  const lengths = new Map<string, number>();
  for (const node of nodesOf(html)) {
    if (!isElement(node)) continue;
    const [name, length] = [attributeOf(node, 'name'), attributeOf(node, 'maxlength')];
    if (name && length && /^\d{1,6}$/.test(length)) lengths.set(name, Number(length));
  }
  return lengths;
}
