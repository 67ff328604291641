import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { escapePattern } from '../../proof/pattern.ts';
import type { CheckContext } from '../contract.ts';
import { enoughOf } from '../sessions/enough-cookies.ts';
import {
  canLogIn,
  type LoginIdentity,
  logInStep,
  type MarkedPage,
  markedPage,
  valueInSetCookie,
  withCookies,
} from '../sessions/own-sessions.ts';

/** A login sets these cookies for all hosts of the domain, and they alone open the account. */
export type DomainSession = { identity: LoginIdentity; page: MarkedPage; names: string[]; domain: string };

/** @param isBroad whether a cookie for the domain is given to hosts of others */
export async function domainSession(
  context: CheckContext,
  isBroad: (cookie: { name: string; domain: string }) => boolean,
): Promise<DomainSession | undefined> {
  for (const { name } of Object.values(context.identities).filter(({ jar }) => jar.all().some(isWide))) {
    const session = await context.logIn(name);
    const page = canLogIn(session) ? await markedPage(context, session) : undefined;
    if (!page || !canLogIn(session)) continue;
    const sent = session.jar.header(page.url).split('; ');
    const wide = session.jar
      .all()
      .filter((cookie) => isWide(cookie) && sent.includes(`${cookie.name}=${cookie.value}`));
    const enough = await enoughOf(context, page, wide);
    const domain = wide[0]?.domain.replace(/^\./, '').toLowerCase();
    if (enough && domain) return { identity: session, page, names: enough.map((cookie) => cookie.name), domain };
  }
  return undefined;

  function isWide(cookie: { name: string; domain: string; hostOnly: boolean }): boolean {
    return !cookie.hostOnly && isBroad(cookie);
  }
}

export const domainSessionPlace = (data: DomainSession): Candidate<DomainSession> => ({
  location: { method: 'POST', url: data.identity.loginUrl, parameter: data.names.join(' '), parameterIn: 'cookie' },
  // A cookie belongs to the site, not to the page that happened to set it.
  route: '/',
  detail: `The login sets "${data.names.join('", "')}" for ${data.domain} and all hosts below it, and that alone opened the account of "${data.identity.name}" elsewhere.`,
  data,
});

/** A Set-Cookie line with this domain, as a pattern. */
export const forDomain = (domain: string): string => `(?i);\\s*domain\\s*=\\s*\\.?${escapePattern(domain)}\\s*(?:;|$)`;

/** The login gives the cookies to the whole domain, and another client with them is the user. */
export function domainSessionSteps({ identity, page, names, domain }: DomainSession): Experiment {
  const login = logInStep(identity);
  const header = (value: (index: number) => string) => names.map((name, at) => `${name}=${value(at)}`).join('; ');
  const given: Step = {
    ...login,
    note: `The user logs in. Browsers send the cookies of that answer to every host of ${domain}.`,
    expect: [...login.expect, ...names.map((name) => claim(`cookie:${name}`, 'matches', forDomain(domain)))],
    capture: names.map((name, at) => ({
      name: `given${at + 1}`,
      subject: `cookie:${name}`,
      pattern: valueInSetCookie(name),
      secret: true,
    })),
  };
  return {
    steps: [
      given,
      withCookies(
        page,
        header((at) => `‹given${at + 1}›`),
        'Another client with these cookies is the user.',
      ),
    ],
    control: [
      withCookies(
        page,
        header(() => '‹nonce›'),
        'With another value it is not: the cookies are the session.',
      ),
    ],
  };
}
