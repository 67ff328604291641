import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { Identity, OwnSession } from '../checks/contract.ts';
import type { CookieJar, HttpProbe } from '../probe/types.ts';
import type { Run } from '../runs.ts';
import { LoginError, logIn, loginUrlOf, type Session } from './log-in.ts';
import { isAlive, type LoginMark } from './prove-login.ts';
import { openLogin, secretsOf } from './settings.ts';

/** The proven identities of a run within one activity: sessions of its own, so that it cannot hurt those of others. */
export type Identities = {
  readonly all: Record<string, Identity>;
  /** Logs in again as whoever was logged out. @returns the names of those */
  renew(): Promise<string[]>;
  /** A further session of an identity, of which nobody else knows. @throws LoginError, ProbeError */
  logIn(name: string, jar?: CookieJar): Promise<OwnSession>;
  /** What must not be stored anywhere: passwords, tokens, session cookies. */
  secrets(): string[];
};

const artifactOf = (name: string): string => `identity:${name}`;
const markType = 'application/json';

export type ProvenLogin = LoginMark & { name: string };

/** Keeps by what an identity's session is recognised. No secret is in it. */
export async function rememberLogin(run: Run, proven: ProvenLogin): Promise<void> {
  await run.putArtifact(artifactOf(proven.name), markType, Buffer.from(JSON.stringify(proven)));
}

/** @returns undefined when the login of this name was never proven in this run */
async function recallLogin(run: Run, name: string): Promise<ProvenLogin | undefined> {
  const content = await run.findArtifact(artifactOf(name));
  return content && (JSON.parse(Buffer.from(content).toString('utf8')) as ProvenLogin);
}

export type IdentityScene = { run: Run; http: HttpProbe; baseUrl: string };

/**
 * Logs in as every identity that this run has proven.
 * @throws LoginError when one of them can no longer log in, ProbeError
 */
export async function openIdentities(scene: IdentityScene, names: readonly string[]): Promise<Identities> {
  const opened = new Map<string, { login: Login; identity: Identity }>();
  for (const name of names) {
    const mark = await recallLogin(scene.run, name);
    if (!mark) continue;
    const login = await openLogin(scene.run, name);
    const session = await provenSession(scene, login, mark);
    const loginUrl = loginUrlOf(login, scene.baseUrl);
    const where = loginUrl === undefined ? {} : { loginUrl };
    opened.set(name, { login, identity: { role: login.role || 'user', ...mark, ...session, ...where } });
  }
  return {
    all: Object.fromEntries([...opened].map(([name, { identity }]) => [name, identity])),
    async renew() {
      const lost: string[] = [];
      for (const [name, { login, identity }] of opened) {
        if (await isAlive(scene.http, identity, identity)) continue;
        // The checks hold this very object: it is renewed in place.
        Object.assign(identity, await provenSession(scene, login, identity));
        lost.push(name);
      }
      return lost;
    },
    async logIn(name, jar) {
      const known = opened.get(name);
      if (!known) throw new LoginError(`there is no identity ${JSON.stringify(name)} in this run`);
      const { answer, ...session } = await logIn(scene.http, known.login, scene.baseUrl, jar);
      if (!answer) throw new LoginError(`the session of ${JSON.stringify(name)} was given as it is`);
      return { ...known.identity, jar: session.jar, headers: session.headers, answer };
    },
    secrets: () =>
      [...opened.values()].flatMap(({ login, identity }) => [...secretsOf(login), ...sessionSecrets(identity)]),
  };
}

/** @throws LoginError when the session is not the identity's own */
async function provenSession(
  { http, baseUrl }: IdentityScene,
  login: Login,
  mark: LoginMark,
): Promise<Pick<Session, 'jar' | 'headers'>> {
  const { jar, headers } = await logIn(http, login, baseUrl);
  if (!(await isAlive(http, { jar, headers }, mark)))
    throw new LoginError(`the login no longer works: ${mark.checkUrl} lacks its marker`);
  return { jar, headers };
}

const sessionSecrets = ({ jar, headers }: Session): string[] => [
  ...jar.all().map(({ value }) => value),
  ...headers.map(([, value]) => value.replace(/^Bearer /, '')),
];
