import { isIP } from 'node:net';
import { parse } from 'tldts';
import { type Assertion, claim, type Subject } from '../../model/experiment.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import { type CookiePlace, cookieExperiment, findSessions, sessionPlace } from '../sessions/find-sessions.ts';
import { isRefusedWithoutSecure, type SetCookie } from '../sessions/set-cookie.ts';
import {
  type DomainSession,
  domainSession,
  domainSessionPlace,
  domainSessionSteps,
  forDomain,
} from './domain-session.ts';

type Broad = (CookiePlace & { domain: string }) | DomainSession;

/** A session cookie is given to all hosts of the registered domain, or of a parent. Source: RFC 6265 §4.1.2.3, §8.6. */
export const broadDomain = defineCheck<Broad>({
  id: 'cookies.broad-domain',
  title: 'Session cookie with an overly broad domain',
  cwe: 668,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const host = context.surface.host.replace(/\.$/, '').toLowerCase();
    if (isIP(host.replace(/^\[|\]$/g, ''))) return notApplicable('An IP address has no parent domain.');
    const { domain, isPrivate } = parse(host, { allowPrivateDomains: true });
    if (!domain) return notApplicable('The host is not a name below a domain.');
    // Nobody but the customer has hosts below the name that a hosting service gave.
    if (isPrivate && domain === host) return notApplicable('The host is the only one of its domain.');
    const ofUser = await domainSession(context, (cookie) => isBroad(cookie, host, domain));
    const sessions = await findSessions(context, (_url, cookie) => broadDomainOf(cookie, host, domain) !== undefined);
    const ofVisitors = sessions.map((session) => {
      const given = broadDomainOf(session.cookie, host, domain) ?? domain;
      return {
        ...sessionPlace(session, `It is set by ${host} for ${given} and all hosts below it.`),
        data: { url: session.url, name: session.cookie.name, domain: given },
      };
    });
    // A login that keeps the session of the visitor sets none itself.
    return [...(ofUser ? [domainSessionPlace(ofUser)] : []), ...ofVisitors];
  },

  confirm: (_context, { data }) =>
    data && ('identity' in data ? domainSessionSteps(data) : cookieExperiment(data, ...claimedOf(data.domain))),

  gives: {
    kinds: ['domain-session'],
    facts: ({ data }) => {
      if (!data || !('identity' in data)) return [];
      const { identity, domain } = data;
      return [
        {
          kind: 'domain-session',
          subject: new URL(data.page.url).origin,
          attributes: { identity: identity.name, domain },
        },
      ];
    },
  },

  explain: {
    description:
      'The session cookie has a Domain attribute with the registered domain, or with another parent of the host. Browsers send it to every host below, not only to the one that set it.',
    impact:
      'One weak host under the domain is enough to take over sessions here: a forgotten campaign site, a wiki with cross-site scripting, a test machine, a name that points to a service which somebody else can claim, a hosted status page. Those hosts and their logs are given the session of everybody who visits them.',
    sends:
      'Requests the address that sets the cookie again, with the cookie and with an invented value where its line alone does not show what it is for. A deep scan logs an identity in instead, and opens its page with the cookies alone.',
    proves:
      'An answer sets a cookie, a session by its name and value, or one that opened an account alone, for the registered domain or another above the host; a random one is not set, or opens nothing. Shows a configuration; no attack was made. Info where only the name hints at a session.',
    remedy:
      'Leave the Domain attribute out, so that the cookie goes back to its own host only; the __Host- prefix makes browsers insist on it: `Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax`. PHP: `session.cookie_domain =` (empty). Django: `SESSION_COOKIE_DOMAIN = None`. Laravel: `SESSION_DOMAIN=null`. Rails: no `domain: :all`. When several hosts have to share a login, use OpenID Connect with a session for each host instead of one cookie for all.',
    references: [
      'RFC 6265 §8.6: https://www.rfc-editor.org/rfc/rfc6265#section-8.6',
      'MDN, cookie prefixes: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes',
      'OWASP Session Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#domain-and-path-attributes',
      'CWE-668: https://cwe.mitre.org/data/definitions/668.html',
      'WSTG-SESS-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/02-Testing_for_Cookies_Attributes',
    ],
  },
});

const claimedOf = (domain: string): [note: string, claimsOn: (subject: Subject) => Assertion[]] => [
  `An answer sets the session cookie for all hosts of ${domain}.`,
  (subject) => [claim(subject, 'matches', forDomain(domain))],
];

/**
 * Whether all hosts of the registered domain, or of a parent of the host, are given the cookie. Browsers refuse public
 * suffixes and other domains.
 */
function isBroad(cookie: { name: string; domain: string }, host: string, registered: string): boolean {
  const domain = cookie.domain.replace(/^\./, '').toLowerCase();
  const isParent = domain === registered || (host.endsWith(`.${domain}`) && domain.endsWith(`.${registered}`));
  return isParent && !/^__host-/i.test(cookie.name);
}

function broadDomainOf(cookie: SetCookie, host: string, registered: string): string | undefined {
  const domain = cookie.attributes.get('domain') ?? '';
  if (!isBroad({ name: cookie.name, domain }, host, registered)) return undefined;
  return cookie.secure || !isRefusedWithoutSecure(cookie) ? domain.replace(/^\./, '').toLowerCase() : undefined;
}
