import type { Json } from '../../../kit/json.ts';
import { withPath } from '../../login/json-path.ts';
import { claim, type HttpAction, type Step } from '../../model/experiment.ts';
import type { LoginRecipe, LoginStep } from '../../model/login-recipe.ts';
import { escapePattern } from '../../proof/pattern.ts';
import type { RegisteredAccount } from './registrations.ts';

/** How an account that the trial has opened logs in as an identity of the scan does, and what its requests carry then. */
type NewLogin = { steps: Step[]; headers: [string, string][] };

/**
 * One request with the name and the password, whose answer has a token or sets one cookie.
 * @param secret name of the trial value that the session is kept under
 * @returns undefined for a login that takes more: a code, a page's token, a browser
 */
export function newAccountLogin(
  { steps, tokenPath, sends }: LoginRecipe,
  account: RegisteredAccount,
  secret: string,
): NewLogin | undefined {
  const [step, ...others] = steps;
  if (!step || others.length > 0 || step.fields.some(({ holds }) => holds === 'hidden' || holds === 'code'))
    return undefined;
  const http = requestOf(step, account);
  const [header] = sends.headers;
  const [cookie, ...more] = sends.cookies;
  if (http === undefined) return undefined;
  const note = 'The new account logs in.';
  const expect = [claim('status', 'less-than', '400')];
  if (tokenPath !== undefined && header) {
    const subject = `body:json:/${tokenPath.split('.').join('/')}` as const;
    const capture = [{ name: secret, subject, pattern: '^"?([^"]+)"?$', secret: true }];
    return { steps: [{ http, note, expect, capture }], headers: [[header.name, `${header.prefix}‹${secret}›`]] };
  }
  if (cookie === undefined || more.length > 0) return undefined;
  const pattern = `^${escapePattern(cookie)}=([^;]+)`;
  const capture = [{ name: secret, subject: `cookie:${cookie}` as const, pattern, secret: true }];
  return { steps: [{ http, note, expect, capture }], headers: [['Cookie', `${cookie}=‹${secret}›`]] };
}

function requestOf({ url, method, encoding, fields }: LoginStep, account: RegisteredAccount): HttpAction | undefined {
  if (method !== 'POST' || encoding === 'multipart') return undefined;
  const pairs = fields.map((field): [string, string] => [field.name, valueOfField(field, account)]);
  const isJson = encoding === 'json';
  const body = isJson
    ? JSON.stringify(pairs.reduce<Json>((root, [name, value]) => withPath(root, name, value), {}))
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
