import { type Assertion, claim, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity, OwnSession } from '../../model/identity.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { type CheckContext, type Detected, notRun } from '../contract.ts';
import { lacksLogin } from './site-login.ts';

/** Name of a trial's own session in the steps of an experiment. */
const ownName = 'own';

/** An identity that can log in anew, and where. */
export type LoginIdentity = Identity & { loginUrl: string };

/** A page that shows by its marker whose session asks for it. */
export type MarkedPage = { url: string; marker: string };

export const canLogIn = (identity: Identity): identity is LoginIdentity => identity.loginUrl !== undefined;

/**
 * Looks with each identity that logs in until one shows something: how sessions are made is a property of the site.
 * @param look given a session that nobody else has, and a page that shows whether it is valid
 */
export async function withOwnSession<D>(
  context: CheckContext,
  look: (session: OwnSession, page: MarkedPage, identity: LoginIdentity) => Promise<Detected<D>>,
): Promise<Detected<D>> {
  const identities = Object.values(context.identities).filter(canLogIn);
  let last: Detected<D> = lacksLogin(context, 'an identity that logs in with a form or with JSON');
  for (const identity of identities) {
    const session = await context.logIn(identity.name);
    const page = await markedPage(context, session);
    if (!page) {
      if (!Array.isArray(last)) last = notRun('unclear', await whyUnmarked(context, identity));
      continue;
    }
    last = await look(session, page, identity);
    if (Array.isArray(last) && last.length > 0) return last;
  }
  return last;
}

/** Why a further login of an identity gave no session whose page has the marker. */
export async function whyUnmarked(context: CheckContext, identity: Identity): Promise<string> {
  const { name, checkUrl } = identity;
  return (await markedPage(context, identity))
    ? `The site did not let "${name}" log in once more, while the session from before is valid: it seems to limit logins. Lift that limit for the test accounts, or scan again later.`
    : `${checkUrl} does not show whether a new session of "${name}" is valid.`;
}

/** The page that has the marker, where redirects have led to: an experiment follows none. */
export async function markedPage({ http }: CheckContext, session: Identity): Promise<MarkedPage | undefined> {
  const { jar, headers, checkUrl, marker } = session;
  const { status, text, request } = await http.get(checkUrl, { jar, headers, fresh: true, maxRedirects: 3 });
  return status === 200 && text.includes(marker) ? { url: request.url, marker } : undefined;
}

/** Whether a request with these cookies alone is answered as to the identity. */
export async function opensWith(
  { http }: CheckContext,
  page: MarkedPage,
  cookies: readonly { name: string; value: string }[],
): Promise<boolean> {
  const headers = [['Cookie', cookieHeader(cookies)]] as const;
  return showsMarker(await http.get(page.url, { headers, fresh: true }), page);
}

const showsMarker = ({ status, text }: Exchange, { marker }: MarkedPage): boolean =>
  status === 200 && text.includes(marker);

export const cookieHeader = (cookies: readonly { name: string; value: string }[]): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ');

/** The claims that an answer was given to the identity. */
export const openedClaims = ({ marker }: MarkedPage): Assertion[] => [
  claim('status', 'equals', '200'),
  claim('body', 'contains', marker, 'What only the logged-in user is shown.'),
];

/** Logs in anew; the steps that follow with `inOwnSession` are in that session. */
export const logInStep = (identity: LoginIdentity, headers?: [string, string][]): Step => ({
  http: { method: 'POST', url: identity.loginUrl, logIn: identity.name, ...(headers ? { headers } : {}) },
  session: ownName,
  note: headers ? 'The user logs in with that cookie in the browser.' : 'The user logs in: a new session.',
  expect: [claim('status', 'less-than', '400')],
});

export const inOwnSession = { session: ownName } as const;

/** Asks for the page with nothing but a Cookie header. */
export const withCookies = (page: MarkedPage, cookies: string, note: string): Step => ({
  http: { url: page.url, headers: [['Cookie', cookies]] },
  note,
  expect: openedClaims(page),
});

/** Asks for a page as somebody who is not logged in, and keeps the cookies that it gives as `‹prefix1›`, `‹prefix2›`, … */
export const visitStep = (url: string, names: readonly string[], prefix: string, note: string): Step => ({
  http: { url },
  note,
  expect: names.map((name) => claim(`cookie:${name}`, 'present')),
  capture: names.map((name, index) => ({
    name: `${prefix}${index + 1}`,
    subject: `cookie:${name}`,
    pattern: valueInSetCookie(name),
    secret: true,
  })),
});

/** The Cookie header of what such a visit was given. */
export const headerOfVisit = (names: readonly string[], prefix: string): string =>
  names.map((name, index) => `${name}=‹${prefix}${index + 1}›`).join('; ');

/** The value of a cookie in a Set-Cookie line. */
export const valueInSetCookie = (name: string): string => `^\\s*${escapePattern(name)}\\s*=\\s*([^;\\s]+)`;
