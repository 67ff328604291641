import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { isBorrowed, isGuest } from '../model/gained-name.ts';
import type { CookieJar, HeaderList } from '../model/http.ts';
import type { Identity, OwnSession } from '../model/identity.ts';
import { LoginError } from '../model/login-error.ts';
import type { Probes } from '../model/probes.ts';
import type { ProvenLogin } from '../model/proven-login.ts';
import type { Gate } from '../probe/gate/gate.ts';
import { noteIdentity } from '../probe/gate/sessions.ts';
import type { Run } from '../run/run.ts';
import { store } from '../run/store.ts';
import { afterLockout } from './after-lockout.ts';
import { isAlive, stateOf } from './check-page.ts';
import { countingJar } from './counting-jar.ts';
import { type BareSession, keepSession, takeSession } from './kept-session.ts';
import { type LogIn, type LoginTools, loginUrlOf, loginWith } from './log-in.ts';
import { holds } from './marker.ts';
import { recallLogin } from './proven-login.ts';
import { refusalIn } from './refusal.ts';
import { byBrowser, openLogin, passwordOf, secretsOf, usernameOf, withNameIn, withTokenIn } from './settings.ts';

/** The proven identities of a run within one activity. */
export type Identities = {
  readonly all: Record<string, Identity>;
  /** Names of those that were left out. */
  readonly ended: readonly string[];
  /**
   * Logs in again as whoever was logged out, or whose page shows another part of itself in this session.
   * @returns the names of those who were logged out
   * @throws LoginError when a session does not come back, ProbeError
   */
  renew(): Promise<string[]>;
  /**
   * A further session of an identity, of which nobody else knows.
   * @param url where it logs in, if elsewhere than usual
   * @throws LoginError, ProbeError
   */
  logIn(name: string, jar?: CookieJar, url?: string): Promise<OwnSession>;
  /** What must not be stored anywhere: passwords, tokens, session cookies. */
  secrets(): string[];
};

export type IdentityTools = LoginTools &
  Pick<Probes, 'http' | 'browser'> & {
    run: Run;
    /** Sent whoever is logged in; the values are secret. */
    scopeHeaders?: HeaderList;
    /** Is given what opens the sessions. */
    gate: Pick<Gate, 'noteSession'>;
    /** The one that the run keeps serves, as for other activities that only look. A session of its own when not given. */
    sharesSession?: boolean;
    /** A session that the audit gained as it is, and that has ended, is left out. By default it is an error, as with any other. */
    leavesOutEnded?: boolean;
    /** How many requests were sent so far with these instruments; without it nothing is known of that. */
    requests?(): number;
    /** Before each further try of a login that a site refuses for a while; as `afterLockout` has them by default. */
    lockoutPausesMs?: readonly number[];
  };

/** One proven identity, and how to have its session again. */
type OpenedIdentity = {
  login: Login;
  proven: ProvenLogin;
  enter: LogIn;
  identity: Identity;
  renewals: number;
  /** Its session as it was given, whose uses are not counted. */
  session: BareSession;
  /** How often its cookies were asked for. */
  uses(): number;
  /** When its session was last seen valid. */
  seen?: { requests: number | undefined; uses: number; ms: number };
};

/** A session that ends more often than this within one activity cannot be worked with. */
const maxRenewals = 50;
/** A session that was seen valid is not checked again as long as nothing was sent with it, unless it may have expired meanwhile. */
const freshMs = 30_000;

/**
 * Opens a session for every identity that this run has proven: one of its own, which cannot hurt those of others, or the
 * one that the run keeps.
 * @throws LoginError when one of them can no longer log in, ProbeError
 */
export async function openIdentities(tools: IdentityTools, names: readonly string[]): Promise<Identities> {
  const opened = new Map<string, OpenedIdentity>();
  const ended: string[] = [];
  const isFresh = ({ seen, uses }: OpenedIdentity) => {
    if (seen?.requests === undefined || performance.now() - seen.ms >= freshMs) return false;
    return seen.requests === tools.requests?.() || seen.uses === uses();
  };
  const noteSeen = (each: OpenedIdentity) => {
    each.seen = { requests: tools.requests?.(), uses: each.uses(), ms: performance.now() };
  };
  // One after the other: small sites store one session at a time.
  for (const name of names) {
    const proven = await recallLogin(tools.run, name);
    const one = proven && (await open(tools, proven));
    if (one) opened.set(name, one);
    else if (proven) ended.push(name);
  }
  for (const each of opened.values()) noteSeen(each);
  return {
    all: Object.fromEntries([...opened].map(([name, { identity }]) => [name, identity])),
    ended,
    async renew() {
      const lost: string[] = [];
      const used = [...opened].filter(([, each]) => !isFresh(each));
      for (const [name, each] of used) {
        const state = await stateOf(tools.http, each.identity, each.proven);
        if (state === 'shown') continue;
        if (++each.renewals > maxRenewals)
          throw new LoginError('lost', `the session of "${name}" ended more than ${maxRenewals} times`);
        const session = await aliveSession(tools, each.proven, each.enter);
        const { jar, uses } = countingJar(session.jar);
        // The checks hold this very object: it is renewed in place.
        Object.assign(each.identity, session, { jar });
        Object.assign(each, { session, uses });
        noteIdentity(tools.gate, each.identity);
        if (state === 'ended') lost.push(name);
      }
      for (const [, each] of used) noteSeen(each);
      return lost;
    },
    async logIn(name, jar, url) {
      const known = opened.get(name);
      if (!known) throw new LoginError('lost', `there is no identity ${JSON.stringify(name)} in this run`);
      // A site may end the sessions from before.
      delete known.seen;
      const { answer, headers, jar: own, storage, recipe } = await known.enter(jar, url);
      if (!answer) throw new LoginError('lost', `the session of ${JSON.stringify(name)} was given as it is`);
      const session = { ...known.identity, jar: own, headers, answer, recipe, ...(storage && { storage }) };
      noteIdentity(tools.gate, session);
      return session;
    },
    secrets: () => [
      ...(tools.scopeHeaders ?? []).map(([, value]) => value),
      ...[...opened.values()].flatMap(({ login, identity, session: { jar } }) => [
        ...secretsOf(login),
        ...secretsIn({ ...identity, jar }),
      ]),
    ],
  };
}

async function open(tools: IdentityTools, proven: ProvenLogin): Promise<OpenedIdentity | undefined> {
  const { name, checkUrl, marker, recipe } = proven;
  const given = withNameIn(withTokenIn(await openLogin(tools.run, name), recipe.sends.headers[0]), recipe);
  const login = (proven.inBrowser && byBrowser(given)) || given;
  const enter = loginWith(tools, login);
  const loginUrl = loginUrlOf(login, tools.baseUrl);
  const userName = usernameOf(login);
  const password = passwordOf(login);
  const storage = await store.storage.find(tools.run, name);
  // Nobody can log in with it again.
  const isGiven = /^(?:cookie|bearer|header)$/.test(login.kind.case ?? '');
  const isGained = isBorrowed(name) || isGuest(name);
  const session = await aliveSession({ ...tools, ...(isGiven && { lockoutPausesMs: [] }) }, proven, enter).catch(
    (error: unknown) => {
      if (isGiven && isGained && tools.leavesOutEnded && error instanceof LoginError) return undefined;
      throw error;
    },
  );
  if (!session) return undefined;
  const { jar, uses } = countingJar(session.jar);
  const identity: Identity = {
    name,
    role: login.role || 'user',
    checkUrl,
    marker,
    recipe,
    ...(storage && { storage }),
    ...session,
    jar,
    ...(loginUrl === undefined ? {} : { loginUrl }),
    ...(userName === undefined ? {} : { userName }),
    ...(password && { password: () => password }),
  };
  noteIdentity(tools.gate, identity);
  return { login, proven, enter, identity, renewals: 0, session, uses };
}

/**
 * The session that serves all activities, or one of its own. Where the site lets nobody in any more, as after wrong passwords that
 * checks have tried, the session of the proof serves as long as it is valid.
 * @throws LoginError when the session is not the identity's own
 */
async function aliveSession(tools: IdentityTools, proven: ProvenLogin, enter: LogIn): Promise<BareSession> {
  const session = await anySession(tools, proven, enter);
  // All checks share it: what one of them tries in a form for choices must not choose for the others.
  session.jar.settle();
  return session;
}

async function anySession(tools: IdentityTools, proven: ProvenLogin, enter: LogIn): Promise<BareSession> {
  const kept = () => keptSession(tools, proven);
  const renewedSession = () => newSession(tools, proven, enter);
  const patiently = (logIn: () => Promise<BareSession>) => afterLockout(logIn, tools.signal, tools.lockoutPausesMs);
  if (!proven.isKept && !tools.sharesSession)
    return patiently(() =>
      renewedSession().catch(async (error: unknown) => {
        const spare = error instanceof LoginError ? await kept() : undefined;
        if (!spare) throw error;
        return spare;
      }),
    );
  const session = await kept();
  if (session) return session;
  const renewed = await patiently(renewedSession);
  await keepSession(tools.run, proven.name, renewed);
  return renewed;
}

async function keptSession({ run, http }: IdentityTools, proven: ProvenLogin): Promise<BareSession | undefined> {
  const kept = await takeSession(run, proven.name, http.newJar());
  return kept && (await isAlive(http, kept, proven)) ? kept : undefined;
}

async function newSession({ http }: IdentityTools, proven: ProvenLogin, enter: LogIn): Promise<BareSession> {
  const { jar, headers, storage, landing, sent } = await enter();
  const session: BareSession = { jar, headers, ...(storage && { storage }) };
  const isShown = landing?.url === proven.checkUrl && holds(proven.marker, [landing], []);
  if (isShown || (await isAlive(http, session, proven))) return session;
  const refusal = landing && sent && refusalIn(landing, sent);
  const why = refusal?.message ?? `${proven.checkUrl} lacks its marker`;
  throw new LoginError(refusal?.failure ?? 'lost', `the login of "${proven.name}" no longer works: ${why}`);
}

/** Shorter values are words, of which pages are full. */
const minSecretLength = 8;
const minTokenLength = 16;

function secretsIn({ jar, headers, storage = {} }: BareSession): string[] {
  const kept = Object.values(storage).flatMap(({ local, session }) => [local, session].flatMap(Object.values<string>));
  return [
    ...jar.all().flatMap(({ value }) => (value.length < minSecretLength ? [] : [value])),
    ...headers.map(([, value]) => value.replace(/^[A-Za-z]+ +(?=\S)/, '')),
    ...kept.flatMap((text) => text.match(/[\w.~+/=-]+/g) ?? []).filter(({ length }) => length >= minTokenLength),
  ];
}
