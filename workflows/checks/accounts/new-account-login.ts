import type { Json } from '../../../kit/json.ts';
import { withPath } from '../../login/json-path.ts';
import { type CaptureRule, claim, type HttpAction, type Step } from '../../model/experiment.ts';
import { parseJson } from '../../model/json.ts';
import type { LoginStep } from '../../model/login-recipe.ts';
import { valueInSetCookie } from '../sessions/own-sessions.ts';
import { type AccountLogin, tokenRule } from './account-login.ts';
import type { RegisteredAccount } from './registrations.ts';

/** How an account that the trial has opened logs in as an identity of the scan does, and what its requests carry then. */
type NewLogin = { steps: Step[]; headers: [string, string][] };

/**
 * One request with the name and the password, after its page where that gives a token, whose answer has a token or sets cookies.
 * @param secret name of the trial value that the session is kept under
 * @returns undefined for a login that takes more: a code, a browser
 */
export function newAccountLogin(
  { steps, tokenPath, sends, page, isByMail = false }: AccountLogin,
  account: RegisteredAccount,
  secret: string,
): NewLogin | undefined {
  const [step, ...others] = steps;
  const needsPage = step?.fields.some(({ holds }) => holds === 'hidden') ?? false;
  if (!step || others.length > 0 || step.fields.some(({ holds }) => holds === 'code') || (needsPage && !page))
    return undefined;
  const bare = requestOf(step, isByMail ? { ...account, name: account.mail } : account, secret);
  const [header] = sends.headers;
  if (bare === undefined) return undefined;
  const given = (page?.cookies ?? []).map((name, index) => ({ name, value: `${secret}given${index + 1}` }));
  const cookieHeader = given.map(({ name, value }) => `${name}=‹${value}›`).join('; ');
  const http = cookieHeader === '' ? bare : { ...bare, headers: [...bare.headers, ['Cookie', cookieHeader] as const] };
  const opening = page ? [openingStep(page.url, step, given, secret)] : [];
  const note = 'The new account logs in.';
  const expect = [claim('status', 'less-than', '400')];
  if (tokenPath !== undefined && header) {
    const subject = `body:json:/${tokenPath.split('.').join('/')}` as const;
    const capture = [{ name: secret, subject, pattern: '^"?([^"]+)"?$', secret: true }];
    return {
      steps: [...opening, { http, note, expect, capture }],
      headers: [[header.name, `${header.prefix}‹${secret}›`]],
    };
  }
  const set = sends.cookies.filter((name) => page === undefined || page.answerCookies.includes(name));
  if (page === undefined && set.length > 1) return undefined;
  const capture = set.map((name, index) => cookieRule(name, index === 0 ? secret : `${secret}set${index + 1}`));
  const kept = given.filter(({ name }) => sends.cookies.includes(name) && !set.includes(name));
  // Some sites keep the session of the page, and set no cookie when somebody logs in.
  if (set.length + kept.length === 0) return undefined;
  const pairs = [
    ...set.map((name, index) => `${name}=‹${capture[index]?.name}›`),
    ...kept.map(({ name, value }) => `${name}=‹${value}›`),
  ];
  return { steps: [...opening, { http, note, expect, capture }], headers: [['Cookie', pairs.join('; ')]] };
}

const cookieRule = (cookie: string, name: string): CaptureRule => ({
  name,
  subject: `cookie:${cookie}`,
  pattern: valueInSetCookie(cookie),
  secret: true,
});

/** Takes the cookies that the page gives, and what its form has anew each time. */
const openingStep = (
  url: string,
  step: LoginStep,
  given: readonly { name: string; value: string }[],
  secret: string,
): Step => ({
  http: { url },
  note: 'The new account opens the page of the login, which gives a token and the cookie that it belongs to.',
  expect: [claim('status', 'less-than', '400')],
  capture: [
    ...given.map(({ name, value }) => cookieRule(name, value)),
    ...hiddenIn(step).map((field, index) => tokenRule(step.url, field, tokenName(secret, index))),
  ],
});

const hiddenIn = ({ fields }: LoginStep): string[] =>
  fields.flatMap(({ name, holds }) => (holds === 'hidden' ? [name] : []));
const tokenName = (secret: string, index: number): string => `${secret}token${index + 1}`;

type LoginRequest = HttpAction & { headers: NonNullable<HttpAction['headers']> };

function requestOf(step: LoginStep, account: RegisteredAccount, secret: string): LoginRequest | undefined {
  const { url, method, encoding, fields, body: document = '{}' } = step;
  if (method !== 'POST' || encoding === 'multipart') return undefined;
  const hidden = hiddenIn(step);
  const pairs = fields.map((field): [string, string] =>
    field.holds === 'hidden'
      ? [field.name, `‹encode:${tokenName(secret, hidden.indexOf(field.name))}›`]
      : [field.name, valueOfField(field, account)],
  );
  const isJson = encoding === 'json';
  const body = isJson
    ? JSON.stringify(
        pairs.reduce<Json>((root, [name, value]) => withPath(root, name, value), parseJson(document) ?? {}),
      )
    : pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encoded(value)}`).join('&');
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  return { method, url, headers: [['Content-Type', type]], body, secrets: [account.password], asRegistered: true };
}

/** Without the signs of the trial's values, which are filled in later. */
const encoded = (value: string): string => value.replace(/[^\w.~‹›:-]/g, (sign) => encodeURIComponent(sign));

/** Who logs in by an address has a field that is called so. */
function valueOfField(field: LoginStep['fields'][number], { name, mail, password }: RegisteredAccount): string {
  if (field.holds === 'fixed') return field.value;
  if (field.holds === 'password') return password;
  return /mail/i.test(field.name) ? mail : name;
}
