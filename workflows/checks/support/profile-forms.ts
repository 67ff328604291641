import { claim, type Step } from '../../proof/experiment.ts';
import type { FormSurface, Surface } from '../contract.ts';

/** A form that shows what it changes, so that a change can be seen and put back. */
export type ProfileForm = {
  pageUrl: string;
  action: string;
  /** The field that is changed, and its value. */
  field: string;
  before: string;
  /** The fields that another site can fill in too, as they are. */
  others: { name: string; value: string }[];
};

/** Texts that take any words and that nobody acts on. */
const harmlessField = /street|address|city|town|bio|about|company|nick|display|motto|signature|location|note|title/i;
/** A form with one of these does more than change a text of the account. */
const tellingFields =
  /pass|pwd|mail|otp|confirm|delete|remove|card|iban|amount|quantity|price|message|comment|subject|to$/i;
const tellingActions =
  /log-?(?:in|out|off)|sign|register|delete|remove|cancel|pay|checkout|order|cart|send|contact|message|mail|search|transfer|subscri/i;
/** A hidden value of this length is a secret of the page; another site leaves it out. */
const minTokenLength = 12;

export function profileForms(surface: Surface | undefined): ProfileForm[] {
  return (surface?.forms ?? []).flatMap((form): ProfileForm[] => {
    if (!isAboutAccount(form)) return [];
    const shown = form.fields.filter(({ type }) => type !== 'submit');
    const field = shown.find((each) => isText(each) && harmlessField.test(each.name) && each.value.trim() !== '');
    if (!field) return [];
    const others = shown.filter(
      (each) => each !== field && !(each.type === 'hidden' && each.value.length >= minTokenLength),
    );
    const { pageUrl, action } = form;
    return [{ pageUrl, action, field: field.name, before: field.value, others }];
  });
}

const isText = ({ type }: FormSurface['fields'][number]): boolean => type === 'text' || type === 'textarea';

function isAboutAccount({ method, enctype, action, pageUrl, fields }: FormSurface): boolean {
  const { origin, pathname } = new URL(action);
  const isPlain = method === 'POST' && enctype === 'application/x-www-form-urlencoded';
  const isSafe = fields.every(({ name, type }) => type !== 'file' && type !== 'password' && !tellingFields.test(name));
  return isPlain && isSafe && origin === new URL(pageUrl).origin && !tellingActions.test(pathname);
}

export type Sending = {
  value: string;
  /** None without it. */
  cookie: string | undefined;
  /** Whose session puts the change back. */
  user: string;
  note: string;
};

/** The form as a page of a foreign site sends it. What takes it back is the form with the value from before. */
export function sendForm(form: ProfileForm, { value, cookie, user, note }: Sending): Step {
  const body = (sent: string) =>
    [...form.others, { name: form.field, value: sent }]
      .map((field) => `${encodeURIComponent(field.name)}=${templated(field.value)}`)
      .join('&');
  const type: [string, string] = ['Content-Type', 'application/x-www-form-urlencoded'];
  const ownOrigin = new URL(form.pageUrl).origin;
  const foreign: [string, string][] = [
    ['Origin', 'https://‹nonce›.example'],
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-Dest', 'document'],
  ];
  return {
    http: {
      method: 'POST',
      url: form.action,
      headers: [...foreign, type, ...(cookie === undefined ? [] : [['Cookie', cookie] as const])],
      body: body(value),
      secrets: [...form.others.map((field) => field.value), form.before].filter(({ length }) => length >= 4),
      write: {
        description: `The field ${form.field} of "${user}" is changed.`,
        identity: user,
        undo: { method: 'POST', url: form.action, headers: [type, ['Origin', ownOrigin]], body: body(form.before) },
      },
    },
    note,
    expect: [claim('status', 'less-than', '400')],
  };
}

/** References to a trial's values stay, everything else is encoded. */
const templated = (value: string): string => (/^‹\w+›$/.test(value) ? value : encodeURIComponent(value));
