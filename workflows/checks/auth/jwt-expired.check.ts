import { claim, type Experiment } from '../../model/experiment.ts';
import { counted } from '../../model/words.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { anyJwtsOf, type CarriedJwt } from '../sessions/jwt.ts';
import { type MarkedPage, markedPage, openedClaims } from '../sessions/own-sessions.ts';

type ExpiredToken = { identity: string; page: MarkedPage; carried: CarriedJwt };

/** Verifiers allow for clocks that differ: five minutes is the most that a framework has by default. Source: ASP.NET Core, ClockSkew. */
const leewaySeconds = 330;

/** A token still opens the account long after the time that it names as its end. Source: RFC 7519 §4.1.4, CWE-613. */
export const jwtExpired = defineCheck<ExpiredToken>({
  id: 'auth.jwt-expired',
  title: 'Expired JWT accepted',
  cwe: 613,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const identity = context.identities[context.visitor ?? ''];
    if (!identity) return notApplicable('It looks at the tokens of test identities alone.');
    const tokens = anyJwtsOf(identity).filter(({ jwt }) => typeof jwt.claims.exp === 'number');
    if (tokens.length === 0) return notApplicable('The session is no JSON Web Token with an end.');
    const nowSeconds = context.now().getTime() / 1000;
    const expired = tokens.filter(({ jwt }) => Number(jwt.claims.exp) + leewaySeconds < nowSeconds);
    if (expired.length === 0) return notApplicable('No token of the session has expired so far.');
    for (const carried of expired) {
      const page = await markedPage(context, identity);
      const answeredAtSeconds = page && (await acceptedAt(context, carried, page));
      if (!page || answeredAtSeconds === undefined) continue;
      const minutes = Math.floor((answeredAtSeconds - Number(carried.jwt.claims.exp)) / 60);
      return [
        {
          location: { url: page.url, parameter: carried.name, parameterIn: carried.in },
          route: '/',
          detail: `The token of "${identity.name}" opened the account ${counted(minutes, 'minute')} after it had expired.`,
          data: { identity: identity.name, page, carried },
        },
      ];
    }
    return [];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The session is a signed token that names the time of its end, and the site accepts it after that: the end is written and not read.',
    impact:
      'A token that was stolen, logged or left on a shared computer opens the account for as long as its key is in use. The site cannot end it, since it keeps no list of its own.',
    sends:
      'Where the token of a test user has expired for more than five minutes while the audit ran, requests the user’s page with that token alone, and with a text that is none.',
    proves:
      'By the clock of the site the token has expired, and the session opens the account, twice; before, the token did so alone, and a random text does not. An attacker who has an old token is logged in.',
    remedy:
      'Let the library check the end and do not switch that off: jsonwebtoken without `ignoreExpiration` and with a `clockTolerance` of seconds, PyJWT without `verify_exp: False`, Java `JwtTimestampValidator`, ASP.NET Core `ValidateLifetime = true`. `exp` is in seconds, not milliseconds. Keep tokens to minutes and renew them by one that the server can revoke.',
    references: [
      'RFC 7519 §4.1.4: https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4',
      'CWE-613: https://cwe.mitre.org/data/definitions/613.html',
      'WSTG-SESS-10: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    ],
  },
});

/**
 * When, by the clock of the site in seconds since 1970, an expired token opens the page by itself: where another part of the session
 * renews it, it does not.
 */
async function acceptedAt(
  context: CheckContext,
  carried: CarriedJwt,
  { url, marker }: MarkedPage,
): Promise<number | undefined> {
  const token = [carried.jwt.signed, carried.jwt.signature.toString('base64url')].join('.');
  const ask = (given: string) =>
    context.http.get(url, {
      ...{ jar: context.http.newJar(), headers: carriedAlone(carried, url, given), fresh: true },
    });
  const { status, text, header } = await ask(token);
  const answeredAtSeconds = Date.parse(header('date') ?? '') / 1000;
  if (status !== 200 || !text.includes(marker)) return undefined;
  if (!(answeredAtSeconds > Number(carried.jwt.claims.exp) + leewaySeconds)) return undefined;
  const other = await ask([context.nonce(), context.nonce(), context.nonce()].join('.'));
  return other.text.includes(marker) ? undefined : answeredAtSeconds;
}

/** What carries the token, without the rest of the session. */
const carriedAlone = (carried: CarriedJwt, url: string, token: string): [string, string][] =>
  carried
    .headersWith(url, token)
    .filter(([name]) => name.toLowerCase() === (carried.in === 'cookie' ? 'cookie' : carried.name.toLowerCase()))
    .map(([name, value]) => [name, carried.in === 'cookie' ? ownPair(value, carried.name) : value]);

const ownPair = (cookies: string, name: string): string =>
  cookies.split('; ').find((pair) => pair.startsWith(`${name}=`)) ?? '';

function experimentFor({ identity, page, carried }: ExpiredToken): Experiment {
  const nothing = '‹nonce›.‹nonce2›.‹nonce3›';
  return {
    steps: [
      {
        http: { url: page.url },
        identity,
        note: `The session of "${identity}", whose token has expired, opens the account.`,
        expect: [
          ...openedClaims(page),
          claim('header:date', 'present', 'The time at the site, which is beyond the end that the token names.'),
        ],
      },
    ],
    control: [
      {
        http: { url: page.url, headers: carriedAlone(carried, page.url, nothing) },
        note: 'A text that is no token does not: the page is not for everybody.',
        expect: openedClaims(page),
      },
    ],
  };
}
