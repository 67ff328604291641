import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type Subject } from '../../model/experiment.ts';
import { defineCheck, notApplicable } from '../contract.ts';
import {
  type CookiePlace,
  cookieAnswers,
  cookieExperiment,
  type FoundSession,
  findSessions,
  sessionPlace,
} from '../sessions/find-sessions.ts';
import { isRefusedWithoutSecure, type SetCookie } from '../sessions/set-cookie.ts';

type MissingSameSite = CookiePlace & { isNone: boolean };

/** Without the attribute, Chromium takes Lax; Firefox and Safari send the cookie as ever. Source: RFC 6265bis §5.6.7. */
const byDefault = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:N/A:N';

/** A session cookie is sent with requests that other sites cause. Source: RFC 6265bis §8.8, CWE-1275. */
export const sessionWithoutSamesite = defineCheck<MissingSameSite>({
  id: 'cookies.session-without-samesite',
  title: 'Session cookie without SameSite',
  cwe: 1275,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  depth: 'standard',
  risk: 'safe',

  async detect(context) {
    const answers = cookieAnswers(context.surface);
    if (answers.every(({ setCookies }) => setCookies.length === 0)) return notApplicable('No page sets a cookie.');
    const found = await findSessions(context, (_url, cookie) => crosses(cookie));
    return found.map((session) => candidateFor(session, context.hasUsers ?? false));
  },

  confirm: (_context, { data }) =>
    data && cookieExperiment(data, 'An answer sets the session cookie for requests of other sites.', claimsOf(data)),

  explain: {
    description:
      "The session cookie is set with SameSite=None, or without SameSite. With None, every browser attaches it to requests that other sites cause, as far as it does not block cookies in foreign frames. Without the attribute it depends on the browser: Chromium's take it for Lax (but let POST requests pass for two minutes), Firefox and Safari attach it to forms that another site sends.",
    impact:
      'A hostile page can make the browser of a visitor send requests with their session (cross-site request forgery). What stands between is then only what the application itself checks: a token in each form, or the Origin header.',
    sends:
      'Requests the address that sets the cookie again, with the cookie and with an invented value where its line alone does not show what it is for.',
    proves:
      'An answer sets a cookie, a session by its name and value, with SameSite=None or without SameSite; no cookie of a random name is set. Shows a configuration; no attack was made. Info where only the name hints at a session, and without None.',
    remedy:
      'Set `SameSite=Lax` (or Strict) on session cookies: `Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax`. PHP: `session.cookie_samesite = Lax`. Express: `cookie: { sameSite: "lax" }`. Java: `server.servlet.session.cookie.same-site=lax` (Spring Boot), `<cookie-config>` with the attribute SameSite (Servlet 6). ASP.NET Core: `options.Cookie.SameSite = SameSiteMode.Lax`. A site that has to work inside frames of others: a cookie of its own for that, with `SameSite=None; Secure; Partitioned`. Keep tokens in forms in any case.',
    references: [
      'RFC 6265bis, SameSite: https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-8.8',
      'MDN, browsers that default to Lax: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#samesitesamesite-value',
      'OWASP CSRF Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
      'CWE-1275: https://cwe.mitre.org/data/definitions/1275.html',
    ],
  },
});

const isNone = ({ attributes }: SetCookie): boolean => attributes.get('samesite')?.toLowerCase() === 'none';

/** Words that browsers do not know count as absent. Cookies that are partitioned are others under every other site. */
function crosses(cookie: SetCookie): boolean {
  if (/^(?:lax|strict)$/i.test(cookie.attributes.get('samesite') ?? '')) return false;
  if (cookie.attributes.has('partitioned')) return false;
  return cookie.secure || !isRefusedWithoutSecure(cookie);
}

/** @param hasUsers the deep check shows with a login whether the cookie opens an account, and then counts for more */
function candidateFor(session: FoundSession, hasUsers: boolean): Candidate<MissingSameSite> {
  const none = isNone(session.cookie);
  const place = sessionPlace(session, none ? 'It has SameSite=None.' : 'It has no SameSite that browsers know.');
  return {
    ...place,
    ...(none && !hasUsers ? {} : { cvss: byDefault }),
    data: { url: session.url, name: session.cookie.name, isNone: none },
  };
}

const claimsOf =
  ({ isNone: none }: MissingSameSite) =>
  (subject: Subject): Assertion[] => [
    claim(subject, 'not-matches', sameSite('(?:lax|strict)'), 'It is neither Lax nor Strict.'),
    claim(subject, none ? 'matches' : 'not-matches', sameSite('none')),
  ];

const sameSite = (value: string): string => `(?i);\\s*samesite\\s*=\\s*${value}\\s*(?:;|$)`;
