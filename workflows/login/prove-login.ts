import { setTimeout as sleep } from 'node:timers/promises';
import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { LoginError, type LoginFailure } from '../model/login-error.ts';
import { ProbeError, type ProbeErrorCode } from '../model/probe-error.ts';
import type { Account, LoginMark } from '../model/proven-login.ts';
import { accountOf, type SeenPage } from './account.ts';
import { usualPausesMs } from './after-lockout.ts';
import { load } from './check-page.ts';
import { findAll, findPasswordForm } from './find-form.ts';
import { accountLinks, likelyPages, ofAccountFirst, pagesToCheck } from './likely-pages.ts';
import { type LoginTools, loginWith } from './log-in.ts';
import { findMarker, holds, otherMarkers, type PageAnswer } from './marker.ts';
import { formsRead } from './page-forms.ts';
import { refusalIn } from './refusal.ts';
import type { LoginSession } from './session.ts';
import { byBrowser, usernameOf, withWrongSecret } from './settings.ts';

export type LoginProof =
  | {
      proven: true;
      mark: LoginMark;
      session: LoginSession;
      account: Account;
      /** Why it was typed into a browser although nobody said so. */
      inBrowserSince?: string;
      /** Logging in anew ends the sessions from before. */
      isExclusive: boolean;
    }
  | { proven: false; failure: LoginFailure; reason: string };

type ProvenAttempt = Extract<LoginProof, { proven: true }>;

export type LoginProofTools = LoginTools & {
  nonce(): string;
  /** Addresses that a visitor was refused: one of them may show who is logged in. */
  refused?: readonly string[];
  /** It is the session of whoever asks for one: there is no secret that could be wrong. False when not given. */
  isGuest?: boolean;
  /** Before each further try of a login that a site refuses for a while; as `afterLockout` has them by default. */
  lockoutPausesMs?: readonly number[];
};

const maxRefused = 6;

/**
 * Logs in and shows that it worked. A form that cannot be sent without script, or after which nothing shows who is logged in, is tried
 * in a browser.
 * @throws ProbeError when the site did not answer
 */
export async function proveLogin(tools: LoginProofTools, login: Login): Promise<LoginProof> {
  const proof = await attemptPatiently(tools, login);
  const typed = byBrowser(login);
  if (proof.proven || !typed || !['needs_browser', 'no_marker'].includes(proof.failure)) return proof;
  const missing = await tools.browser.unavailable();
  if (missing !== undefined)
    return proof.failure === 'no_marker' ? proof : { ...proof, reason: `${proof.reason}, and ${missing}` };
  const second = await attemptPatiently(tools, typed);
  if (second.proven) return { ...second, inBrowserSince: proof.reason };
  return { ...second, reason: `${second.reason} (in a browser, since ${proof.reason})` };
}

/** Sites count the logins of an address, those of the audit's own reconnaissance and of others behind it among them. */
const forAWhile: readonly LoginFailure[] = ['rate_limited', 'locked'];

/** Tries again when a limit on logins has passed. */
async function attemptPatiently(tools: LoginProofTools, login: Login): Promise<LoginProof> {
  for (const pauseMs of tools.lockoutPausesMs ?? usualPausesMs) {
    const proof = await attempt(tools, login);
    if (proof.proven || !forAWhile.includes(proof.failure)) return proof;
    await sleep(pauseMs, undefined, { signal: tools.signal });
  }
  return attempt(tools, login);
}

const targetsDoing: readonly ProbeErrorCode[] = [
  'unreachable',
  'timeout',
  'dns_failed',
  'tls_failed',
  'protocol_error',
  'blocked',
];

async function attempt(tools: LoginProofTools, login: Login): Promise<LoginProof> {
  try {
    return await prove(tools, login);
  } catch (error) {
    if (error instanceof LoginError) return { proven: false, failure: error.failure, reason: error.message };
    if (!(error instanceof ProbeError)) throw error;
    if (error.code === 'out_of_scope' || error.code === 'excluded')
      return { proven: false, failure: 'elsewhere', reason: error.message };
    if (!targetsDoing.includes(error.code)) throw error;
    throw new ProbeError(error.code, `the login got no answer: ${error.message}`, { cause: error });
  }
}

/**
 * A page has a text in two sessions of this identity that it lacks for anonymous visitors and for the same login with a
 * wrong secret. The wrong one goes between the two: so it is sent only where the right one works, and the second right
 * one resets a lock-out counter. One session is enough for no marker: its CSRF token would look like one.
 */
async function prove(tools: LoginProofTools, login: Login): Promise<ProvenAttempt> {
  const enter = loginWith(tools, login);
  const first = await enter();
  const hopeful = await findPages(tools, login, first);
  if (hopeful.length === 0) throw whyNot(login, first, tools.baseUrl);
  const refused = tools.isGuest
    ? undefined
    : await loginWith(tools, withWrongSecret(login, tools.nonce()), 1)().catch(notLoggedIn);
  const second = await enter();
  for (const page of hopeful) {
    const mine = [await load(tools.http, page.url, second), page.mine];
    const others = [page.anonymous, await load(tools.http, page.url)];
    if (refused) others.push(await load(tools.http, page.url, refused));
    const marker = markerOf(login, mine, others, isAskedAgain(second));
    if (marker === undefined) continue;
    const further = otherMarkers(marker, mine, others, namesIn(login));
    const mark = { checkUrl: page.url, marker, ...(further.length > 0 && { others: further }) };
    const seen = { url: page.url, mine, anonymous: others };
    const pages = await furtherPages(tools, [first, second], page, hopeful);
    const account = accountOf(login, second, [seen, ...pages]);
    return { proven: true, mark, session: second, account, isExclusive: await isDead(tools, first, mark) };
  }
  throw whyNot(login, second, tools.baseUrl);
}

/** A page that looks alike for two accounts says nothing; others may: those that were looked at before, and its account pages. */
async function furtherPages(
  { http }: LoginProofTools,
  sessions: readonly LoginSession[],
  { url, mine }: ComparedPage,
  hopeful: readonly ComparedPage[],
): Promise<SeenPage[]> {
  const urls = [...hopeful.map((page) => page.url), ...accountLinks(mine.text, url)];
  const seen: SeenPage[] = [];
  for (const further of new Set(urls.filter((other) => other !== url))) {
    try {
      const shown: PageAnswer[] = [];
      for (const session of sessions) shown.push(await load(http, further, session));
      seen.push({ url: further, mine: shown, anonymous: [await load(http, further)] });
    } catch (error) {
      // The login is proven without it.
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    }
  }
  return seen;
}

/** A page with a text of its own for a session; whether the text stays is another question. */
type ComparedPage = { url: string; mine: PageAnswer; anonymous: PageAnswer };

async function findPages(
  { http, baseUrl, refused = [] }: LoginProofTools,
  login: Login,
  session: LoginSession,
): Promise<ComparedPage[]> {
  const look = async (urls: readonly string[], isEnough: (found: number) => boolean): Promise<ComparedPage[]> => {
    const found: ComparedPage[] = [];
    for (const url of urls) {
      const mine = await load(http, url, session);
      if (mine.status >= 400) continue;
      const anonymous = await load(http, url);
      if (markerOf(login, [mine], [anonymous], isAskedAgain(session)) !== undefined)
        found.push({ url, mine, anonymous });
      if (isEnough(found.length)) break;
    }
    return found;
  };
  const pages = pagesToCheck(login, session, baseUrl);
  const found = await look(pages, () => false);
  const isSettled = found.length > 0 || login.checkUrl !== '' || refusalOf(session) !== undefined;
  const further = [...new Set([...ofAccountFirst(refused).slice(0, maxRefused), ...likelyPages(login, baseUrl)])];
  return isSettled ? found : look(further, (count) => count > 0);
}

/** Sessions that were given as they are end together, if at all. */
const isDead = async (
  { http }: LoginProofTools,
  session: LoginSession,
  { checkUrl, marker }: LoginMark,
): Promise<boolean> => session.answer !== undefined && !holds(marker, [await load(http, checkUrl, session)], []);

/**
 * The page after the login has its form again. Then a token in a form, new for each session, must not pass for a marker;
 * some sites carry the form along on every page. Of a page that is read in part nobody knows.
 */
function isAskedAgain({ landing, recipe }: LoginSession): boolean {
  if (!landing) return false;
  const { forms, isWhole } = formsRead(landing.text, landing.url);
  if (!isWhole) return true;
  const again = findPasswordForm(forms, findAll, true);
  const fields = recipe.steps.flatMap((step) => step.fields);
  return fields.some(({ name, holds }) => holds === 'password' && name === again?.password?.name);
}

function markerOf(login: Login, mine: PageAnswer[], others: PageAnswer[], mustIdentify: boolean): string | undefined {
  if (login.marker !== '') return holds(login.marker, mine, others) ? login.marker : undefined;
  return findMarker(mine, others, namesIn(login), mustIdentify);
}

function namesIn(login: Login): string[] {
  const username = usernameOf(login);
  return username === undefined ? [] : [username];
}

const refusalOf = ({ landing, sent }: LoginSession): LoginError | undefined =>
  landing && sent && refusalIn(landing, sent);

function whyNot(login: Login, session: LoginSession, baseUrl: string): LoginError {
  const refusal = refusalOf(session);
  if (refusal) return refusal;
  const pages = pagesToCheck(login, session, baseUrl).join(' and ');
  if (isAskedAgain(session))
    return new LoginError(
      'no_marker',
      `${session.landing?.url} shows its login form again after the credentials were sent`,
    );
  if (login.marker !== '')
    return new LoginError(
      'no_marker',
      `the login was sent, but ${pages} lacks the given marker, or has it for anonymous visitors as well`,
    );
  return new LoginError(
    'no_marker',
    `the login was sent, but ${pages} looks the same for anonymous visitors; give a checkUrl that shows who is logged in`,
  );
}

/** A refused login has no session, which is what it should be like. */
function notLoggedIn(error: unknown): undefined {
  if (!(error instanceof LoginError)) throw error;
}
