import { randomBytes } from 'node:crypto';
import type { Experiment, Step } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { type CarriedJwt, forgedFrom, hashOf, jwtsOf, keyThatSigned, signJwt, spellingOf } from '../sessions/jwt.ts';
import { type MarkedPage, markedPage, openedClaims } from '../sessions/own-sessions.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { guessSecret } from './guess-secret.ts';

type Guessed = { identity: string; page: MarkedPage; carried: CarriedJwt; secret: string; key: Buffer };

/** Tokens are signed with a key that is guessed from a list, without a request. Source: RFC 8725 §3.5, CWE-1391. */
export const jwtWeakSecret = defineCheck<Guessed>({
  id: 'auth.jwt-weak-secret',
  title: 'JWT signed with a weak secret',
  cwe: 1391,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',

  async detect(context) {
    const identities = Object.values(context.identities);
    if (identities.length === 0) return lacksIdentities(context, 'an identity with a proven login');
    const carried = identities.flatMap((identity) => jwtsOf(identity).map((token) => ({ identity, token })));
    if (carried.length === 0) return notApplicable('No session is a token with a symmetric signature.');
    // The tokens of all users are signed alike: a list that has no key for one has none for the others.
    const alike = Map.groupBy(carried, ({ token }) => [token.in, token.name, token.jwt.header.alg].join(' '));
    for (const { identity, token } of [...alike.values()].flatMap(([first]) => first ?? [])) {
      const guessed = await guess(context, token);
      const page = guessed && (await markedPage(context, identity));
      if (page) return [candidateFor(identity, { identity: identity.name, page, carried: token, ...guessed })];
    }
    return [];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  gives: {
    kinds: ['signing-secret'],
    facts: ({ data }) =>
      data
        ? [
            {
              kind: 'signing-secret',
              subject: `${new URL(data.page.url).origin} ${data.carried.name}`,
              attributes: { name: `the key of ${data.carried.in} ${data.carried.name}` },
              secret: data.secret,
            },
          ]
        : [],
  },

  explain: {
    description:
      'The session is a token with a signature (HS256, HS384 or HS512), and the key for it is a common word or an example from documentation. It was found by trying a list on a token of our own, on our computer; a token that was signed with it was then accepted.',
    impact:
      'Everybody who has one token can find the key in seconds, unseen, and then sign tokens in the name of any user and with any role.',
    sends:
      'Guesses the key of a test user’s token from a list without any request, then requests the user’s page with tokens that were signed here.',
    proves:
      'A token signed with the guessed key opens the account; the same one signed with a random key does not. An attacker who has one token signs others with any claims.',
    remedy:
      'Make a key of at least 32 random bytes, `openssl rand -base64 48`, and give it to the program from a secret store or its environment, with no fallback in the code (`process.env.JWT_SECRET ?? "secret"` is how most of these come about: refuse to start instead). All tokens signed before become worthless, which is wanted. Where several services verify, sign with a private key (RS256, ES256, EdDSA) instead.',
    references: [
      'RFC 8725 §3.5 (JWT Best Current Practices): https://www.rfc-editor.org/rfc/rfc8725#section-3.5',
      'CWE-1391: https://cwe.mitre.org/data/definitions/1391.html',
      'WSTG-SESS-10: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    ],
  },
});

async function guess(context: CheckContext, { jwt }: CarriedJwt): Promise<{ secret: string; key: Buffer } | undefined> {
  const issuer = typeof jwt.claims.iss === 'string' ? jwt.claims.iss : '';
  const guessed = await guessSecret(context, [issuer], (secret) => keyThatSigned(jwt, secret));
  return guessed && { secret: guessed.secret, key: guessed.held };
}

const candidateFor = ({ name }: Identity, data: Guessed) => ({
  location: { url: data.page.url, parameter: data.carried.name, parameterIn: data.carried.in },
  // The key is one for the site, whatever page takes the token.
  route: '/',
  detail: `The key was found for the token of "${name}"; it has ${data.secret.length} characters.`,
  data,
});

function experimentFor({ identity, page, carried, secret, key }: Guessed): Experiment {
  const { jwt } = carried;
  const header = respelled(jwt.header);
  const signature = { hash: hashOf(jwt), key: spellingOf(secret, key) };
  const step = (signingKey: Buffer, note: string): Step => {
    const token = signJwt(header, jwt.claims, signingKey);
    const forged = forgedFrom(identity, carried, { token, header, signature });
    const headers = carried.headersWith(page.url, token);
    return { http: { url: page.url, headers, secrets: [token], forged }, note, expect: openedClaims(page) };
  };
  return {
    steps: [step(key, 'A token that we signed with the guessed key opens the account that its claims name.')],
    control: [step(randomBytes(64), 'The same token signed with another key does not: the signature is verified.')],
  };
}

/** The same header in other bytes: the token is then one that the site never made. */
function respelled(header: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(header).toReversed();
  return entries.length > 1 ? Object.fromEntries(entries) : { typ: 'JWT', ...header };
}
