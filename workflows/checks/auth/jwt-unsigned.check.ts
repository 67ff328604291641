import { randomBytes } from 'node:crypto';
import type { Experiment, Step } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { anyJwtsOf, type CarriedJwt, forgedFrom, type Jwt } from '../sessions/jwt.ts';
import { type MarkedPage, markedPage, openedClaims } from '../sessions/own-sessions.ts';
import { firstToken, opensWith, type TokenOnPage } from './jwt-walk.ts';

type Unsigned = UnsignedWay & { identity: string; page: MarkedPage; carried: CarriedJwt; other?: TakenToken };

/** Another user's page, and the claims of the token with which it opened: the first user's, but for the name. */
type TakenToken = { name: string; page: MarkedPage; claims: Record<string, unknown> };

/** How a token is made that no verifier may accept. */
type UnsignedWay = {
  how: string;
  signature: 'random' | 'none';
  header?: Record<string, unknown>;
  /** Those of the token when not given: one that has no signature of its own has to differ in them. */
  claims?: Record<string, unknown>;
};

/** Claims that say who a user is. */
const namingClaims = /^(?:sub|(?:user_?|account_?)?id|uid|e?-?mail|user_?name|login|name|preferred_username)$/i;

/** That a changed claim opens another account was not seen: there is no other user, or the site goes by something else. */
const ownClaimsOnly = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N';

/** A token is accepted without a signature that holds. Source: RFC 8725 §2.1, §3.1, CWE-347. */
export const jwtUnsigned = defineCheck<Unsigned>({
  id: 'auth.jwt-unsigned',
  title: 'JWT accepted without a valid signature',
  cwe: 347,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',

  detect: (context) =>
    firstToken(context, async (token) => {
      const data = await look(context, token);
      const accepted = `The token of "${token.identity.name}" was accepted ${data?.how}`;
      if (!data?.other) return data && { detail: `${accepted}.`, cvss: ownClaimsOnly, data };
      return {
        detail: `${accepted}; with another name in it it opened the account of "${data.other.name}".`,
        data,
      };
    }),

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The session is a signed token, but the site believes what it says although the signature is missing or wrong.',
    impact:
      'Everybody can write a token for themselves, with the name of any user and any role, and is that user. No password and no key is needed.',
    sends:
      'Requests a test user’s page with the user’s own token under a random signature, without one, and with `alg: none` in four spellings; then the page of another test user with their name in such a token.',
    proves:
      'A token that no verifier may accept opens the account of the test user whose name was put into it; with the first user’s name it does not. Where no other user can be tried, it opens the user’s own, a random text does not, and the finding is medium.',
    remedy:
      'Verify every token before a claim is read, and say which algorithm is expected instead of taking it from the token: `jwt.verify(token, key, { algorithms: ["HS256"] })` (never `jwt.decode`), PyJWT `jwt.decode(token, key, algorithms=["HS256"])`, Java `Jwts.parser().verifyWith(key).build().parseSignedClaims(token)` (not `parse` or `parseUnsecuredClaims`), ASP.NET Core `ValidateIssuerSigningKey = true`, `RequireSignedTokens = true`. Update old libraries: several took "none" for an algorithm.',
    references: [
      'RFC 8725 §3.1 (JWT Best Current Practices): https://www.rfc-editor.org/rfc/rfc8725#section-3.1',
      'CWE-347: https://cwe.mitre.org/data/definitions/347.html',
      'WSTG-SESS-10: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    ],
  },
});

/** Ways to make a token that no verifier may accept, the plainest mistake first. */
const waysFor = ({ header, claims, signature }: Jwt, nonce: string): UnsignedWay[] => {
  const extended = { ...claims, nonce };
  const how = 'with a claim more, and no signature, as the site makes them';
  return signature.length === 0
    ? [{ how, signature: 'none', claims: extended }]
    : [
        { how: 'with a signature of random bytes', signature: 'random' },
        { how: 'with its signature taken off', signature: 'none' },
        ...['none', 'None', 'NONE', 'nOnE'].map(
          (alg): UnsignedWay => ({
            how: `with the algorithm "${alg}" and no signature`,
            signature: 'none',
            header: { ...header, alg },
          }),
        ),
      ];
};

/** @param claims the token's own by default */
function tokenBy({ header, signature }: UnsignedWay, jwt: Jwt, claims?: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const [head = '', body = ''] = jwt.signed.split('.');
  const wrong = signature === 'none' ? '' : randomBytes(Math.max(32, jwt.signature.length)).toString('base64url');
  return [header ? part(header) : head, claims ? part(claims) : body, wrong].join('.');
}

async function look(context: CheckContext, { identity, carried, page }: TokenOnPage): Promise<Unsigned | undefined> {
  const isOpenedBy = (token: string) => opensWith(context, carried, page, token);
  // Something else than this token may be the session.
  if (await isOpenedBy([context.nonce(), context.nonce(), context.nonce()].join('.'))) return undefined;
  for (const way of waysFor(carried.jwt, context.nonce()))
    if (await isOpenedBy(tokenBy(way, carried.jwt, way.claims))) {
      const other = await takenBy(context, identity, carried, way);
      return { identity: identity.name, page, carried, ...way, ...(other ? { other } : {}) };
    }
  return undefined;
}

/** Another test user whose account opens when their name is put into the token, and not with the name that is in it. */
async function takenBy(
  context: CheckContext,
  identity: Identity,
  carried: CarriedJwt,
  way: UnsignedWay,
): Promise<TakenToken | undefined> {
  const own = carried.jwt.claims;
  for (const other of Object.values(context.identities)) {
    if (other.name === identity.name) continue;
    const theirs = anyJwtsOf(other).find(({ name }) => name === carried.name)?.jwt.claims ?? {};
    const names = Object.entries(theirs).filter(([name, value]) => namingClaims.test(name) && own[name] !== value);
    const page = names.length > 0 ? await markedPage(context, other) : undefined;
    if (!page || (await opensWith(context, carried, page, tokenBy(way, carried.jwt)))) continue;
    const claims = { ...own, ...Object.fromEntries(names) };
    if (await opensWith(context, carried, page, tokenBy(way, carried.jwt, claims)))
      return { name: other.name, page, claims };
  }
  return undefined;
}

function experimentFor({ identity, page: ownPage, carried, other, ...way }: Unsigned): Experiment {
  const { how } = way;
  const page = other?.page ?? ownPage;
  const made = { ...way, ...(other ? { claims: other.claims } : {}) };
  const token = tokenBy(way, carried.jwt, made.claims);
  const step = (given: string, note: string, forged = forgedFrom(identity, carried, { ...made, token })): Step => ({
    http: {
      url: page.url,
      headers: carried.headersWith(page.url, given),
      secrets: [given],
      forged,
    },
    note,
    expect: openedClaims(page),
  });
  if (other) {
    const unchanged = tokenBy(way, carried.jwt);
    const forged = forgedFrom(identity, carried, { ...way, token: unchanged });
    return {
      steps: [step(token, `The token ${how}, with the name of "${other.name}" in it, opens that account.`)],
      control: [
        step(
          unchanged,
          `With the name of "${identity}", as it was, it does not: the site goes by what the token says.`,
          forged,
        ),
      ],
    };
  }
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
