import type { Json } from '../../kit/json.ts';
import type { JsonLogin, Totp } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { CookieJar, Exchange, HttpProbe } from '../model/http.ts';
import { parseJson } from '../model/json.ts';
import { LoginError, type LoginFailure } from '../model/login-error.ts';
import type { LoginStep, StepField } from '../model/login-recipe.ts';
import { atPath, findToken, withPath } from './json-path.ts';
import { loginTimeoutMs } from './patience.ts';
import { refusalIn } from './refusal.ts';
import { sendsOf } from './sends.ts';
import type { LoginSession } from './session.ts';
import { cookiePairs } from './settings.ts';
import type { Codes } from './totp.ts';

const bearer = 'Authorization: Bearer {token}';

/**
 * Whether an interface could not read what it was sent, as one says that takes a form. With 422 others refuse a wrong password:
 * then it names no field that it lacks. Source: RFC 9110 §15.5.16, §15.5.21.
 */
const readsNoJson = ({ status, text }: Exchange): boolean =>
  status === 415 || (status === 422 && /\b(?:required|missing)\b/i.test(text));
/** Source: RFC 6749 §4.3.2. */
const grant = { name: 'grant_type', holds: 'fixed', value: 'password' } as const satisfies StepField;

type JsonLoginParts = { url: string; jar: CookieJar; codes: Codes | undefined; totp: Totp | undefined };

/**
 * Names that interfaces give the member with the user's name, where the settings do not say it. Each one tried is a login that fails:
 * few enough for no account to be locked.
 */
const usualNames = (username: string): string[] =>
  username.includes('@') ? ['email', 'username', 'login'] : ['username', 'login', 'user'];

/** Refusals that another name of a member would not change. */
const final: ReadonlySet<LoginFailure> = new Set(['captcha', 'rate_limited', 'locked', 'site_down', 'code_needed']);

/**
 * Sends the credentials as JSON, or as a form where the interface reads no JSON; the session is the cookies of the answer, and the token in it.
 * @param parts.url absolute
 * @throws LoginError of the first name that was tried for the user's member; ProbeError
 */
export async function logInByJson(http: HttpProbe, login: JsonLogin, parts: JsonLoginParts): Promise<LoginSession> {
  const names = login.usernameField ? [login.usernameField] : usualNames(login.username);
  let refusal: unknown;
  for (const usernameField of names) {
    try {
      return await logInWith(http, { ...login, usernameField }, parts);
    } catch (error) {
      if (!(error instanceof LoginError)) throw error;
      refusal ??= error;
      if (final.has(error.failure)) break;
    }
  }
  throw refusal;
}

async function logInWith(
  http: HttpProbe,
  login: JsonLogin,
  { url, jar, codes, totp }: JsonLoginParts,
): Promise<LoginSession> {
  const members: [path: string, holds: 'username' | 'password' | 'code', value: string][] = [
    [login.usernameField, 'username', login.username],
    [login.passwordField || 'password', 'password', login.password],
  ];
  if (codes) members.push([totp?.field || 'code', 'code', await codes.next()]);
  const send = (type: string, body: string): Promise<Exchange> =>
    http.send({
      method: 'POST',
      url,
      headers: [
        ['Content-Type', type],
        ['Accept', 'application/json'],
        ['Origin', new URL(url).origin],
      ],
      body,
      jar,
      timeoutMs: loginTimeoutMs,
    });
  const document = parseJson(login.body) ?? {};
  const object = members.reduce<Json>((all, [path, , value]) => withPath(all, path, value), document);
  let answer = await send('application/json', JSON.stringify(object));
  // The interface reads no JSON: that of OAuth 2.0 takes a form.
  const takesForm = readsNoJson(answer);
  if (takesForm) {
    const pairs = members.map(([name, , value]) => [name, value] as const);
    answer = await send(
      'application/x-www-form-urlencoded',
      new URLSearchParams([[grant.name, grant.value], ...pairs.map(([name, value]) => [name, value])]).toString(),
    );
  }
  const landing = { url, status: answer.status, text: answer.text };
  const sent = { password: true, code: codes !== undefined };
  if (answer.status >= 400)
    throw (
      refusalIn(landing, sent) ?? new LoginError('refused', `${url} answered the credentials with ${answer.status}`)
    );
  const token = tokenOf(login, answer, jar);
  const [name, value] = token === undefined ? [''] : headerWith(login.tokenHeader || bearer, token.value);
  // A cookie that script sets of the token is one of the session's like any other.
  const isCookie = /^cookie$/i.test(name);
  if (isCookie) for (const pair of cookiePairs(value ?? '')) jar.set(new URL('/', url).href, ...pair);
  const headers: [string, string][] = value === undefined || isCookie ? [] : [[name, value]];
  const fields = members.map(([name, holds]): StepField => ({ name, holds }));
  const step: LoginStep = takesForm
    ? { url, method: 'POST', encoding: 'urlencoded', fields: [grant, ...fields] }
    : { url, method: 'POST', encoding: 'json', fields, ...(login.body !== '' && { body: login.body }) };
  const recipe = { kind: 'json' as const, steps: [step], sends: sendsOf({ jar, headers }) };
  return { jar, headers, landing, sent, answer, recipe: { ...recipe, ...(token && { tokenPath: token.path }) } };
}

/**
 * A site may log in the session that a browser came with, whose cookie it does not set again.
 * @throws LoginError when the settings say where the token is, and it is not there; and when nothing is a session
 */
function tokenOf(
  { tokenPath }: JsonLogin,
  answer: Exchange,
  jar: CookieJar,
): { path: string; value: string } | undefined {
  const { url } = answer.request;
  const json = parseJson(answer.text);
  if (tokenPath !== '') {
    const value = atPath(json, tokenPath);
    if (typeof value === 'string' && value !== '') return { path: tokenPath, value };
    throw new LoginError('no_token', `the answer of ${url} (status ${answer.status}) has no text at ${tokenPath}`);
  }
  const found = findToken(json);
  if (!found && answer.headerValues('set-cookie').length === 0 && jar.header(url) === '')
    throw new LoginError(
      'no_token',
      `the answer of ${url} (status ${answer.status}) holds no token and sets no cookie`,
    );
  return found;
}

function headerWith(template: string, token: string): [string, string] {
  const colon = template.indexOf(':');
  return [
    template.slice(0, colon).trim(),
    template
      .slice(colon + 1)
      .trim()
      .replaceAll('{token}', () => token),
  ];
}
