import { z } from 'zod';
import type { BrowserResult } from '../../model/browser.ts';
import { claim, type Step } from '../../model/experiment.ts';
import type { Fact } from '../../model/fact.ts';
import type { Identity } from '../../model/identity.ts';
import { type CheckContext, type Detected, notApplicable, notRun } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { orLeft } from '../pages/or-left.ts';
import {
  canLogIn,
  inOwnSession,
  logInStep,
  type MarkedPage,
  markedPage,
  whyUnmarked,
} from '../sessions/own-sessions.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { pagesWithScript, type TextsByLength } from './scripted-pages.ts';
import { keepsSomething, patternOf, type StoredToken, subjectOf, type TokenPlace, tokensIn } from './stored-tokens.ts';
import { openingOf, type TokenOpening } from './token-openings.ts';

/** A token that scripts keep in the browser of a user, and that is the session of its own. */
export type KeptToken = {
  identity: Identity;
  /** That shows whose session asks for it. */
  page: MarkedPage;
  /** Where scripts keep the token. */
  keptAt: string;
  place: TokenPlace;
  opening: TokenOpening;
};

const maxVisits = 5;

/** What has to be known of a token to take it again, without its value. */
type KnownToken = Pick<KeptToken, 'keptAt' | 'place' | 'opening'>;

const known: z.ZodType<KnownToken> = z.object({
  keptAt: z.string(),
  place: z.object({
    ...{ area: z.enum(['local', 'session']), entry: z.string() },
    path: z.array(z.union([z.string(), z.number(), z.null()])),
  }),
  opening: z.object({
    url: z.string(),
    carrier: z.object({ header: z.string(), before: z.string() }),
    ownPattern: z.string().exactOptional(),
  }),
});

/** For the secret of a fact: patterns of the text beside data of the user are private. */
export const knownOf = ({ keptAt, place, opening }: KeptToken): string =>
  JSON.stringify({ keptAt, place, opening } satisfies KnownToken);

/** The token that a fact names, where its identity still has the page that shows whose session it is. */
export async function recallKeptToken(
  context: CheckContext,
  { attributes, secret }: Fact,
): Promise<KeptToken | undefined> {
  const identity = context.identities[attributes.identity ?? ''];
  const page = identity && secret !== undefined ? await markedPage(context, identity) : undefined;
  return identity && page && { identity, page, ...known.parse(JSON.parse(secret ?? '')) };
}

/** Looks with each identity until a token is found: what a site keeps is a property of the site. */
export async function findKeptToken(context: CheckContext): Promise<KeptToken | Detected<never>> {
  let last: Detected<never> = lacksIdentities(context, 'an identity with a proven login');
  const textsByLength: TextsByLength = new Map();
  for (const identity of Object.values(context.identities)) {
    const found = await lookWith(context, identity, textsByLength);
    if ('opening' in found) return found;
    last = found;
  }
  return last;
}

async function lookWith(
  context: CheckContext,
  identity: Identity,
  textsByLength: TextsByLength,
): Promise<KeptToken | Detected<never>> {
  const session = canLogIn(identity) ? await context.logIn(identity.name) : identity;
  const page = await markedPage(context, session);
  if (!page) return notRun('unclear', await whyUnmarked(context, identity));
  const { jar, headers } = session;
  const surface = context.surfaces[identity.name] ?? context.surface;
  const looking = { session: { jar, headers }, textsByLength };
  const pages = await pagesWithScript(context, surface, keepsSomething, looking);
  if (pages.length === 0 && !session.storage)
    return notApplicable('No script on the pages that the identities see keeps anything in the browser.');
  if (headers.length > 0 && !session.storage)
    return notRun(
      'unclear',
      `The session of "${identity.name}" was not made in a browser, so its scripts had nothing to keep: let it log in by browser to have that looked at.`,
    );
  const urls = [...new Set([page.url, ...pages.map(({ url }) => url)])];
  const visited = likeliest(context, urls, maxVisits, 'pages whose script may keep a token');
  const { tokens, requests } = await visitAll(context, session, visited);
  for (const { keptAt, token } of tokens) {
    const opening = await openingOf({ context, session, page }, token, { requests });
    if (opening) return { identity, page, keptAt, place: token.place, opening };
  }
  return [];
}

/** Opens pages one after the other in one browser, as the user would: how a token is sent may show on another page than where it is kept. */
async function visitAll(context: CheckContext, { jar, headers, storage: kept = {} }: Identity, urls: string[]) {
  const storage = structuredClone(kept);
  const tokens = new Map<string, { keptAt: string; token: StoredToken }>();
  const requests: BrowserResult['requests'] = [];
  for (const url of urls) {
    for (const seen of await orLeft(context, url, () => context.browser.visit({ url, jar, headers, storage }))) {
      requests.push(...seen.requests);
      for (const token of tokensIn(context, { local: seen.localStorage, session: seen.sessionStorage }))
        if (!tokens.has(token.value)) tokens.set(token.value, { keptAt: url, token });
    }
  }
  return { tokens: [...tokens.values()], requests };
}

/** Whose session the steps have: one that was made for them, where the identity can log in. */
export const sessionOf = (identity: Identity): Pick<Step, 'identity' | 'session'> =>
  canLogIn(identity) ? inOwnSession : { identity: identity.name };

export const startOf = (identity: Identity): Step[] => (canLogIn(identity) ? [logInStep(identity)] : []);

/** A browser with the session opens the page whose scripts keep the token. */
export const keepStep = ({ identity, keptAt, place }: KeptToken): Step => ({
  browser: { url: keptAt },
  ...sessionOf(identity),
  note: 'In a browser with this session, script of the site keeps a token where every script on its pages can read it.',
  expect: [claim(subjectOf(place), 'present')],
  capture: [{ name: 'kept', subject: subjectOf(place), pattern: patternOf(place), secret: true }],
});
