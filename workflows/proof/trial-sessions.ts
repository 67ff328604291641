import type { WebStorage } from '../model/browser.ts';
import type { HttpAction, Step } from '../model/experiment.ts';
import type { CookieJar, Exchange, HeaderList, HttpProbe } from '../model/http.ts';
import type { LoginRecipe } from '../model/login-recipe.ts';
import { type Session, sessionSecrets } from './observe.ts';
import { ProofError } from './proof-error.ts';

/** A session that was just made: headers to send with its requests, what scripts keep, and the answer to the credentials. */
type NewSession = { headers: HeaderList; storage?: WebStorage; answer: Exchange; recipe?: LoginRecipe };

/** What sessions of a trial are made of. */
export type SessionContext = {
  http: HttpProbe;
  /** Sessions by identity's name. */
  identities: Readonly<Record<string, Session>>;
  /** Logs an identity in anew, at this address and into this jar. Without it steps that log in are refused. */
  logIn?: (identity: string, jar: CookieJar, url: string) => Promise<NewSession>;
};

/** Whose session each step of a trial has: one of the run's identities, one of the trial's own, or none. */
export type TrialSessions = {
  /** @throws ProofError when there is none of that name */
  of(step: Step): Session | undefined;
  /** Name of the identity, "" for nobody. */
  identityOf(step: Step): string;
  /** Makes one of the trial's own. */
  logIn(step: Step, http: HttpAction): Promise<Exchange>;
  /** Remembers what a session of the trial's own holds by now. */
  note(step: Step): void;
  /** Values of the cookies and headers of all of the trial's own, from first to last. */
  secrets(): string[];
};

export function createSessions(context: SessionContext): TrialSessions {
  const own = new Map<string, Session & { identity: string }>();
  /** Each trial has a browser profile of its own for each identity. */
  const profiles = new Map<string, WebStorage>();
  const profileOf = (name: string, { storage = {} }: Session) => {
    const profile = profiles.get(name) ?? structuredClone(storage);
    profiles.set(name, profile);
    return profile;
  };
  const secrets = new Set<string>();
  const ownOf = ({ session }: Step) => {
    const known = own.get(session ?? '');
    if (!known) throw new ProofError(`no step has logged in to the session "${session}"`);
    return known;
  };
  const note = (step: Step) => {
    if (step.session === undefined) return;
    for (const secret of sessionSecrets(ownOf(step))) secrets.add(secret);
  };
  return {
    of(step) {
      if (step.session !== undefined) return ownOf(step);
      if (!step.identity) return undefined;
      const session = context.identities[step.identity];
      if (!session) throw new ProofError(`there is no session of identity "${step.identity}"`);
      const { jar, headers } = session;
      return { jar, headers, storage: profileOf(step.identity, session) };
    },
    identityOf: (step) => step.identity ?? own.get(step.session ?? '')?.identity ?? '',
    async logIn(step, { url, headers = [], logIn: identity = '' }) {
      if (step.session === undefined) throw new ProofError('a step logs in without naming its session');
      if (!context.logIn) throw new ProofError('a step logs in, but nobody can log in here');
      const jar = context.http.newJar();
      plantCookies(jar, url, headers);
      const { headers: given, storage = {}, answer, recipe } = await context.logIn(identity, jar, url);
      const session = { identity, jar, headers: given, storage: structuredClone(storage) };
      own.set(step.session, { ...session, ...(recipe && { recipe }) });
      note(step);
      return answer;
    },
    note,
    secrets: () => [...secrets],
  };
}

/** Puts the cookies of Cookie headers into a jar, for the whole host: what a browser has before it logs in. */
function plantCookies(jar: CookieJar, url: string, headers: HeaderList): void {
  const root = new URL('/', url).href;
  const lines = headers.filter(([name]) => name.toLowerCase() === 'cookie').map(([, value]) => value);
  for (const pair of lines.flatMap((line) => line.split(';'))) {
    const at = pair.indexOf('=');
    if (at > 0) jar.set(root, pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  }
}
