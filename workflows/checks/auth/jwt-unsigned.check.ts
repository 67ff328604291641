import { randomBytes } from 'node:crypto';
import type { Experiment, Step } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { type MarkedPage, markedPage, openedClaims } from '../sessions/own-sessions.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { anyJwtsOf, type CarriedJwt, forgedFrom, type Jwt } from './jwt.ts';

type Unsigned = Variant & { identity: string; page: MarkedPage; carried: CarriedJwt };

/** A token that no verifier may accept, and how it was made. */
type Variant = { token: string; how: string; signature: 'random' | 'none'; header?: Record<string, unknown> };

/** A token is accepted without a signature that holds. Source: RFC 8725 §2.1, §3.1, CWE-347. */
export const jwtUnsigned = defineCheck<Unsigned>({
  id: 'auth.jwt-unsigned',
  title: 'JWT accepted without a valid signature',
  cwe: 347,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const identities = Object.values(context.identities);
    if (identities.length === 0) return lacksIdentities(context, 'an identity with a proven login');
    const carried = identities.flatMap((identity) => anyJwtsOf(identity).map((token) => ({ identity, token })));
    if (carried.length === 0) return notApplicable('No session is a signed JSON Web Token.');
    for (const { identity, token } of carried) {
      const data = await look(context, identity, token);
      if (data)
        return [
          {
            location: { url: data.page.url, parameter: token.name, parameterIn: token.in },
            // How tokens are verified is one property of the site, whatever page takes them.
            route: '/',
            detail: `The token of "${identity.name}" was accepted ${data.how}.`,
            data,
          },
        ];
    }
    return [];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The session is a signed token, but the site believes what it says although the signature is missing or wrong.',
    impact:
      'Everybody can write a token for themselves, with the name of any user and any role, and is that user. No password and no key is needed.',
    sends:
      'Requests a test user’s page with the user’s own token under a random signature, without one, and with `alg: none` in four spellings.',
    proves:
      'A token that no verifier may accept opens the account; a random text in its place does not. The claims are the user’s own: an attacker who changes them is any user, where the server goes by them.',
    remedy:
      'Verify every token before a claim is read, and say which algorithm is expected instead of taking it from the token: `jwt.verify(token, key, { algorithms: ["HS256"] })` (never `jwt.decode`), PyJWT `jwt.decode(token, key, algorithms=["HS256"])`, Java `Jwts.parser().verifyWith(key).build().parseSignedClaims(token)` (not `parse` or `parseUnsecuredClaims`), ASP.NET Core `ValidateIssuerSigningKey = true`, `RequireSignedTokens = true`. Update old libraries: several took "none" for an algorithm.',
    references: [
      'RFC 8725 §3.1 (JWT Best Current Practices): https://www.rfc-editor.org/rfc/rfc8725#section-3.1',
      'CWE-347: https://cwe.mitre.org/data/definitions/347.html',
      'WSTG-SESS-10: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    ],
  },
});

/** Tokens with the same claims that no verifier may accept, the plainest mistake first. */
function* unsignedVariants({ header, signed, signature }: Jwt): Generator<Variant> {
  const [head = '', body = ''] = signed.split('.');
  const wrong = randomBytes(Math.max(32, signature.length)).toString('base64url');
  yield { token: `${head}.${body}.${wrong}`, how: 'with a signature of random bytes', signature: 'random' };
  yield { token: `${head}.${body}.`, how: 'with its signature taken off', signature: 'none' };
  for (const alg of ['none', 'None', 'NONE', 'nOnE']) {
    const unsecured = { ...header, alg };
    const start = Buffer.from(JSON.stringify(unsecured)).toString('base64url');
    const how = `with the algorithm "${alg}" and no signature`;
    yield { token: `${start}.${body}.`, how, signature: 'none', header: unsecured };
  }
}

async function look(context: CheckContext, identity: Identity, carried: CarriedJwt): Promise<Unsigned | undefined> {
  const page = await markedPage(context, identity);
  if (!page) return undefined;
  const isOpenedBy = async (token: string) => {
    const headers = carried.headersWith(page.url, token);
    const { status, text } = await context.http.get(page.url, { headers, fresh: true });
    return status === 200 && text.includes(page.marker);
  };
  // Something else than this token may be the session.
  if (await isOpenedBy([context.nonce(), context.nonce(), context.nonce()].join('.'))) return undefined;
  for (const variant of unsignedVariants(carried.jwt))
    if (await isOpenedBy(variant.token)) return { identity: identity.name, page, carried, ...variant };
  return undefined;
}

function experimentFor({ identity, page, carried, ...variant }: Unsigned): Experiment {
  const { token, how } = variant;
  const forged = forgedFrom(identity, carried, variant);
  const step = (given: string, note: string): Step => ({
    http: { url: page.url, headers: carried.headersWith(page.url, given), secrets: [given], forged },
    note,
    expect: openedClaims(page),
  });
  return {
    steps: [step(token, `The token ${how} opens the account that its claims name.`)],
    control: [
      step(
        '‹nonce›.‹nonce2›.‹nonce3›',
        'A text that is no token does not: the session is in the token and in nothing else.',
      ),
    ],
  };
}
