import { setTimeout as sleep } from 'node:timers/promises';
import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { CookieJar } from '../model/http.ts';
import { LoginError, type LoginFailure } from '../model/login-error.ts';
import type { Probes } from '../model/probes.ts';
import { logInByBrowser } from './browser-login.ts';
import { logInByForm } from './form-login.ts';
import { logInByJson } from './json-login.ts';
import { refusalIn } from './refusal.ts';
import { sendsOf } from './sends.ts';
import type { LoginSession } from './session.ts';
import { basicCredentials, cookiePairs } from './settings.ts';
import { type Codes, createCodes } from './totp.ts';

/**
 * Logs in once more.
 * @param jar takes the cookies, and sends those that it has already; an empty one by default
 * @param url where the credentials are typed in; the address of the settings by default
 * @throws LoginError, ProbeError
 */
export type LogIn = (jar?: CookieJar, url?: string) => Promise<LoginSession>;

export type LoginTools = {
  http: Probes['http'];
  browser: Probes['browser'];
  /** URL of the scan: what relative URLs of a login are resolved against, and where its cookies belong. */
  baseUrl: string;
  signal: AbortSignal;
};

/** A code that another session has used, or that expired meanwhile, is not final. */
const codeAttempts = 2;
const staleCode: readonly LoginFailure[] = ['code_refused', 'wrong_credentials'];

/** Sites that store one session at a time answer a login beside another one with an error. */
const busyAttempts = 4;
const firstPauseMs = 1_000;

/** How to log in with these settings, again and again. Codes are given once each, whoever asks. */
export function loginWith(tools: LoginTools, login: Login, attempts = login.totp ? codeAttempts : 1): LogIn {
  const codes = login.totp && createCodes(login.totp, tools.signal);
  return async (jar, url) => {
    for (let attempt = 1; ; attempt += 1) {
      const mayBeStale = attempt < attempts;
      try {
        const session = await logInUnlessBusy(tools, login, codes, { jar, url });
        const { landing, sent } = session;
        const refusal = mayBeStale && sent?.code && landing ? refusalIn(landing, sent) : undefined;
        if (!refusal || !staleCode.includes(refusal.failure)) return session;
      } catch (error) {
        if (!mayBeStale || !(error instanceof LoginError && staleCode.includes(error.failure))) throw error;
      }
    }
  };
}

/** Logins that collided are retried at different times. */
async function logInUnlessBusy(
  tools: LoginTools,
  login: Login,
  codes: Codes | undefined,
  { jar, url }: { jar: CookieJar | undefined; url: string | undefined },
): Promise<LoginSession> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === busyAttempts;
    try {
      const session = await logInOnce(tools, login, codes, { jar: jar ?? tools.http.newJar(), at: url });
      if (isLast || (session.answer?.status ?? 0) < 500) return session;
    } catch (error) {
      if (isLast || !(error instanceof LoginError && error.failure === 'site_down')) throw error;
    }
    await sleep(firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2), undefined, { signal: tools.signal });
  }
}

function logInOnce(
  { http, browser, baseUrl }: LoginTools,
  { kind, totp }: Login,
  codes: Codes | undefined,
  { jar, at }: { jar: CookieJar; at: string | undefined },
): Promise<LoginSession> | LoginSession {
  const parts = (given: string) => ({ url: at ?? absolute(given, baseUrl), jar, codes, totp });
  switch (kind.case) {
    case 'form':
      return logInByForm(http, kind.value, parts(kind.value.url));
    case 'browser':
      return logInByBrowser(browser, kind.value, parts(kind.value.url));
    case 'json':
      return logInByJson(http, kind.value, parts(kind.value.url));
    case 'bearer':
      return given(kind.case, jar, [['Authorization', `Bearer ${kind.value}`]]);
    case 'basic':
      return given(kind.case, jar, [['Authorization', `Basic ${basicCredentials(kind.value)}`]]);
    case 'header':
      return given(kind.case, jar, [[kind.value.name, kind.value.value]]);
    case 'cookie':
      for (const [name, value] of cookiePairs(kind.value)) jar.set(new URL('/', baseUrl).href, name, value);
      return given(kind.case, jar, []);
    default:
      throw new LoginError('refused', 'the login has no kind that this worker knows');
  }
}

const given = (
  kind: 'bearer' | 'basic' | 'header' | 'cookie',
  jar: CookieJar,
  headers: [string, string][],
): LoginSession => ({
  jar,
  headers,
  recipe: { kind, steps: [], sends: sendsOf({ jar, headers }) },
});

/** Where credentials are typed in; undefined when the login is a session that was given as it is. */
export function loginUrlOf({ kind }: Login, baseUrl: string): string | undefined {
  const isTyped = kind.case === 'form' || kind.case === 'browser' || kind.case === 'json';
  return isTyped ? absolute(kind.value.url, baseUrl) : undefined;
}

function absolute(url: string, baseUrl: string): string {
  if (!URL.canParse(url, baseUrl)) throw new LoginError('elsewhere', `${url} is not a URL`);
  return new URL(url, baseUrl).href;
}
