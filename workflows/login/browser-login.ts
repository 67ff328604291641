import type { FormLogin, Totp } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { BrowserProbe } from '../model/browser.ts';
import type { CookieJar } from '../model/http.ts';
import { parseJson } from '../model/json.ts';
import { LoginError } from '../model/login-error.ts';
import type { LoginStep } from '../model/login-recipe.ts';
import { wantedOf } from './form-login.ts';
import { refusalIn } from './refusal.ts';
import { sendsOf } from './sends.ts';
import type { LoginSession } from './session.ts';
import type { Codes } from './totp.ts';

/** A browser needs a while for each page; a code may have to wait for its period. */
const timeoutMs = 60_000;
const withCodeTimeoutMs = 420_000;

/**
 * Logs in as a person with a browser would. The session is the cookies, the headers that the app's own requests have from
 * then on, and what its scripts keep.
 * @param url absolute
 * @throws LoginError, ProbeError
 */
export async function logInByBrowser(
  browser: BrowserProbe,
  login: FormLogin,
  { url, jar, codes, totp }: { url: string; jar: CookieJar; codes: Codes | undefined; totp: Totp | undefined },
): Promise<LoginSession> {
  const missing = await browser.unavailable();
  if (missing !== undefined) throw new LoginError('needs_browser', `the login needs a browser, and ${missing}`);
  const { username, password } = login;
  const seen = await browser.signIn({
    url,
    jar,
    username,
    password,
    fields: wantedOf(login, totp),
    timeoutMs: codes ? withCodeTimeoutMs : timeoutMs,
    ...(codes && { code: () => codes.next() }),
  });
  const { headers, storage, answer, calls, writes } = seen;
  const landing = { url: seen.finalUrl, status: seen.status, text: seen.html };
  if (!seen.sent.password) {
    const refusal = refusalIn(landing, { password: false, code: false });
    throw (
      refusal ??
      new LoginError(
        'no_form',
        `the browser found no ${seen.sent.name ? 'field for the password' : 'login form'} at ${seen.finalUrl}`,
      )
    );
  }
  const sends = sendsOf({ jar, headers });
  const recipe = { kind: 'browser' as const, steps: answer ? [stepOf(url, answer.request, login)] : [], sends };
  return { jar, headers, storage, landing, sent: seen.sent, calls, writes, recipe, ...(answer && { answer }) };
}

/** The request that script made of the fields: their names are where the credentials stand in it. */
function stepOf(
  pageUrl: string,
  { url, method, body }: { url: string; method: string; body: string },
  { username, password }: FormLogin,
): LoginStep {
  const isJson = /^\s*[{[]/.test(body);
  const pairs = isJson ? membersOf(body) : [...new URLSearchParams(body)];
  const fields = pairs.map(([name, value]) => {
    const holds = value === password ? 'password' : value === username ? 'username' : 'hidden';
    return { name, holds } as const;
  });
  return {
    pageUrl,
    url: withoutQuery(url),
    method: method === 'GET' ? 'GET' : 'POST',
    encoding: isJson ? 'json' : 'urlencoded',
    fields,
  };
}

/** Members of a JSON object and of objects in it, by dotted path. */
function membersOf(body: string): [string, string][] {
  const members: [string, string][] = [];
  const work: [string, unknown][] = [['', parseJson(body) ?? {}]];
  for (const [path, value] of work) {
    if (typeof value !== 'object' || value === null) members.push([path, String(value)]);
    else
      for (const [name, member] of Object.entries(value)) work.push([path === '' ? name : `${path}.${name}`, member]);
  }
  return members;
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');
