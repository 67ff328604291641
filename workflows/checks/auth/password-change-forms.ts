import type { Identity, KnownPassword } from '../../model/identity.ts';
import type { FormSurface } from '../../model/surface.ts';
import { readAddress } from '../../probe/gate/urls.ts';
import { type HtmlForm, readForms } from '../../probe/html/forms.ts';
import { type FormEntry, sentForms, targetOf } from '../../probe/html/submission.ts';
import { textOf } from '../../probe/html/text.ts';
import { wholeTree } from '../../probe/html/tree.ts';
import { namedPath } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { isPageSecret } from '../sessions/own-forms.ts';

/** A form in which users give themselves a new password, without the one that they have. */
export type PasswordChange = {
  pageUrl: string;
  action: string;
  method: 'GET' | 'POST';
  /** What it sends as it stands, in order; the two passwords are empty. */
  entries: FormEntry[];
  /** Names of its fields for the new password: where it is typed, and where it is typed again. */
  typed: string;
  repeated: string;
};

const repeatedName = /conf|repeat|re-?_?(?:type|enter|peat)|again|wiederhol|bestaetig|répét|repet/i;
/** It may be that of the current one as well, where the form does not say that something is typed again. */
const shortRepeatedName = /^c(?:nf|fm)?[-_]?(?:pass|pw)/i;
const saysAgain = /confirm|repeat|re-?\s?type|re-?\s?enter|again|wiederhol|bestätig|répét|confirma|repet/i;
const otherSecret =
  /cur|old|actual|exist|orig|present|former|previous|verif|code|otp|pin|alt(?:es)?[-_]|vorher|ancien/i;
/** What such a form says of the password that users have. */
const asksForOld =
  /(?:current|old|existing|present|previous|your) password|aktuell|alte[sn]? (?:pass|kenn)|bisherig|actuel|ancien|actual|vecchia|attuale/i;
/** It takes the names of others, or makes an account. */
const ofOthers = /user|login|account|member|person|employee|uid|benutzer|nutzer/i;
const enrols = /regist|sign-?_?up|create|new-?_?user|add-?_?user|invite|reset|forgot|recover/i;
const keptTypes = new Set(['hidden', 'submit', 'text', 'email', 'textarea', 'select-one', 'select', 'tel']);

/**
 * Whether a form may be that of the account of who is shown it: nothing in its addresses says whose password it changes.
 * @param user an ordinary one: those who administrate are shown forms for the passwords of others
 */
export const mayChangeOwn = ({ fields, action, pageUrl, enctype }: FormSurface): boolean =>
  fields.filter(({ type }) => type === 'password').length === 2 &&
  enctype !== 'multipart/form-data' &&
  new URL(action).origin === new URL(pageUrl).origin &&
  [action, pageUrl].every((url) => {
    const { hasObject, hasIdentifier, acting } = readAddress(url);
    return !hasObject && !hasIdentifier && acting?.code !== 'ends-session' && !enrols.test(namedPath(url));
  });

/**
 * Reads such a form in a session, as it stands by now.
 * @returns undefined when it is not there, or is none in which the one password that is known can be set again
 * @throws ProbeError
 */
export async function readPasswordForm(
  { http }: CheckContext,
  { jar, headers, userName = '' }: Identity,
  { pageUrl, action, method }: Pick<FormSurface, 'pageUrl' | 'action' | 'method'>,
): Promise<PasswordChange | undefined> {
  const { status, text } = await http.get(pageUrl, { jar, headers, fresh: true });
  if (status !== 200) return undefined;
  const [sent, ...others] = sentForms(text, pageUrl).filter(
    (each) => each.method === method && isAt(each.action, action),
  );
  const written = readForms(wholeTree(text), pageUrl).forms.find((form) => isAt(targetOf(form).action ?? '', action));
  if (!sent || others.length > 0 || !written || asksForOld.test(wordsOf(written))) return undefined;
  const { entries } = sent;
  const [first, second, ...more] = entries.filter(({ type }) => type === 'password').map(({ name }) => name);
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  const isRepeated = repeatedName.test(second) || (shortRepeatedName.test(second) && saysAgain.test(wordsOf(written)));
  if (!isRepeated || repeatedName.test(first) || [first, second].some((each) => otherSecret.test(each)))
    return undefined;
  const isKept = ({ type, name, value }: FormEntry): boolean =>
    type === 'password' ||
    (keptTypes.has(type) &&
      (type === 'hidden' ||
        type === 'submit' ||
        (value.trim() !== '' && (!ofOthers.test(name) || value === userName))));
  return entries.every(isKept)
    ? { pageUrl, action: sent.action, method, entries, typed: first, repeated: second }
    : undefined;
}

/** A form that is sent by GET has its own query. */
const isAt = (one: string, other: string): boolean => withoutQuery(one) === withoutQuery(other);
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

const wordsOf = ({ element, controls }: HtmlForm): string =>
  [
    textOf(element, { maxNodes: 1_000 }),
    ...controls.flatMap(({ attribute }) => [attribute('placeholder') ?? '', attribute('aria-label') ?? '']),
  ].join('\n');

/**
 * The form with the password that its user has, so that it changes nothing.
 * @param repeated what is typed again
 * @param isForged leaves out what another site cannot know
 */
export function passwordRequest(
  form: PasswordChange,
  password: KnownPassword,
  { repeated = password.value, isForged }: { repeated?: string; isForged: boolean },
) {
  const { action, method, entries } = form;
  const typedInto = ({ name, value }: FormEntry): string =>
    name === form.typed ? password.value : name === form.repeated ? repeated : value;
  const pairs = entries
    .filter((entry) => !isForged || entry.type !== 'hidden' || !isPageSecret(entry))
    .map((entry) => `${encodeURIComponent(entry.name)}=${encodeURIComponent(typedInto(entry))}`)
    .join('&');
  const secrets = password.isSecret ? [password.value, repeated] : [];
  return method === 'GET'
    ? { method, url: `${withoutQuery(action)}?${pairs}`, secrets }
    : { method, url: action, body: pairs, secrets };
}
