import type { FormLogin, JsonLogin, Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { CookieJar, Exchange, HttpProbe } from '../probe/types.ts';
import { findLoginForm } from './form.ts';
import { cookiePairs } from './settings.ts';

/** What a login gives: the cookies and headers to send with every request. Not yet proven. */
export type Session = {
  jar: CookieJar;
  headers: [string, string][];
  /** Page that the login led to, if any. */
  landedOn?: string;
  /** The answer to the credentials themselves, if any were sent. */
  answer?: Exchange;
};

/** The login could not even be tried to its end; the message says where it stopped. */
export class LoginError extends Error {
  override name = 'LoginError';
}

const maxRedirects = 5;

/**
 * @param baseUrl URL of the scan: what the relative URLs of a login are resolved against, and where its cookies belong
 * @param jar takes the cookies, and sends those that it has already
 * @throws LoginError, ProbeError
 */
export async function logIn(
  http: HttpProbe,
  login: Login,
  baseUrl: string,
  jar: CookieJar = http.newJar(),
): Promise<Session> {
  const { kind } = login;
  switch (kind.case) {
    case 'form':
      return submitForm(http, kind.value, jar, baseUrl);
    case 'json':
      return postJson(http, kind.value, jar, baseUrl);
    case 'bearer':
      return { jar, headers: [['authorization', `Bearer ${kind.value}`]] };
    case 'header':
      return { jar, headers: [[kind.value.name, kind.value.value]] };
    case 'cookie':
      for (const [name, value] of cookiePairs(kind.value)) jar.set(baseUrl, name, value);
      return { jar, headers: [] };
    default:
      throw new LoginError('the login has no kind that this worker knows');
  }
}

async function submitForm(http: HttpProbe, login: FormLogin, jar: CookieJar, baseUrl: string): Promise<Session> {
  const page = await http.get(absolute(login.url, baseUrl), { jar, maxRedirects });
  const names = { username: login.usernameField, password: login.passwordField };
  const form = findLoginForm(page.text, page.request.url, names);
  if (!form) throw new LoginError(`no login form was found at ${page.request.url} (status ${page.status})`);
  const fields = new URLSearchParams(form.others);
  fields.set(form.usernameField, login.username);
  fields.set(form.passwordField, login.password);
  const answer = await submit(http, form.method, form.action, fields, jar, page.request.url);
  return { jar, headers: [], landedOn: answer.request.url, answer: answer.redirects[0] ?? answer };
}

/** As a browser would: with the page's origin, which CSRF protection looks at. */
function submit(
  http: HttpProbe,
  method: string,
  action: string,
  fields: URLSearchParams,
  jar: CookieJar,
  page: string,
): Promise<Exchange> {
  const headers: [string, string][] = [
    ['origin', new URL(page).origin],
    ['referer', page],
  ];
  if (method === 'GET') {
    const url = new URL(action);
    url.search = fields.toString();
    return http.get(url.href, { jar, headers, maxRedirects });
  }
  headers.push(['content-type', 'application/x-www-form-urlencoded']);
  return http.send({ method, url: action, headers, body: fields.toString(), jar, maxRedirects });
}

async function postJson(http: HttpProbe, login: JsonLogin, jar: CookieJar, baseUrl: string): Promise<Session> {
  const url = absolute(login.url, baseUrl);
  const body = JSON.stringify({
    [login.usernameField || 'username']: login.username,
    [login.passwordField || 'password']: login.password,
  });
  const answer = await http.send({
    method: 'POST',
    url,
    headers: [
      ['content-type', 'application/json'],
      ['accept', 'application/json'],
      ['origin', new URL(url).origin],
    ],
    body,
    jar,
  });
  if (answer.status >= 400) throw new LoginError(`${url} answered ${answer.status}`);
  if (login.tokenPath === '') return { jar, headers: [], answer };
  const token = valueAt(answer.text, login.tokenPath);
  if (token === undefined) throw new LoginError(`the answer of ${url} has no text at ${login.tokenPath}`);
  return { jar, headers: [['authorization', `Bearer ${token}`]], answer };
}

/** Where credentials are typed in; undefined when the login is a session that was given as it is. */
export function loginUrlOf({ kind }: Login, baseUrl: string): string | undefined {
  return kind.case === 'form' || kind.case === 'json' ? absolute(kind.value.url, baseUrl) : undefined;
}

/** @param path dotted, for instance "data.token" */
function valueAt(json: string, path: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function absolute(url: string, baseUrl: string): string {
  if (!URL.canParse(url, baseUrl)) throw new LoginError(`${url} is not a URL`);
  return new URL(url, baseUrl).href;
}
