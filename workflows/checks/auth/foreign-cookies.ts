import type { Step } from '../../model/experiment.ts';
import type { OwnSession } from '../../model/identity.ts';
import { escapePattern } from '../../proof/pattern.ts';
import type { CheckContext } from '../contract.ts';
import {
  inOwnSession,
  type LoginIdentity,
  logInStep,
  type MarkedPage,
  openedClaims,
  opensWith,
} from '../sessions/own-sessions.ts';

/** Cookies of a session with which requests of other sites are made in its user's name. */
export type ForeignCookies = {
  names: string[];
  /** Browsers do not differ in whether they send them. */
  isSentByAll: boolean;
};

/**
 * Cookies that browsers send with a request of another site, when they make the session. With what a link or a form sends by GET
 * they send those that are SameSite=Lax as well, and some take no attribute for Lax. Source: RFC 6265bis §5.6.7.
 * @returns undefined when the session does not open without others
 * @throws ProbeError
 */
export async function foreignCookies(
  context: CheckContext,
  page: MarkedPage,
  { jar }: OwnSession,
  method: 'GET' | 'POST',
): Promise<ForeignCookies | undefined> {
  const sent = jar.header(page.url).split('; ');
  const allowed = method === 'GET' ? ['none', 'lax'] : ['none'];
  const across = jar
    .all()
    .filter(({ name, value }) => sent.includes(`${name}=${value}`))
    .filter(({ sameSite = 'none', partitioned }) => allowed.includes(sameSite.toLowerCase()) && !partitioned);
  if (across.length === 0 || !(await opensWith(context, page, across))) return undefined;
  return {
    names: across.map(({ name }) => name),
    isSentByAll: method === 'GET' || across.every(({ sameSite }) => sameSite !== undefined),
  };
}

/** Steps that log in and keep these cookies of the session, and the Cookie header with which requests of other sites come then. */
export function sessionOfOthers(
  identity: LoginIdentity,
  page: MarkedPage,
  cookies: readonly string[],
): { steps: Step[]; header: string } {
  return {
    header: cookies.map((name, index) => `${name}=‹cookie${index + 1}›`).join('; '),
    steps: [
      logInStep(identity),
      {
        http: { url: page.url },
        ...inOwnSession,
        note: 'The session works; the cookies that browsers send from other sites are remembered.',
        expect: openedClaims(page),
        capture: cookies.map((name, index) => ({
          name: `cookie${index + 1}`,
          subject: 'request:cookie',
          pattern: `(?:^|; )${escapePattern(name)}=([^;]+)`,
          secret: true,
        })),
      },
    ],
  };
}
