import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { HttpProbe } from '../probe/types.ts';
import { LoginError, logIn, type Session } from './log-in.ts';
import { type Answer, findMarker, holds } from './marker.ts';
import { withWrongSecret } from './settings.ts';

/** Where and by what a session is recognised. Not a secret. */
export type LoginMark = { checkUrl: string; marker: string };

export type LoginProof = { proven: true; mark: LoginMark; session: Session } | { proven: false; reason: string };

export type LoginScene = {
  http: HttpProbe;
  /** URL of the scan. */
  baseUrl: string;
  nonce(): string;
};

/**
 * Logs in and shows that it worked: a page has a text in two sessions of this identity that it lacks for anonymous
 * visitors and for the same login with a wrong secret. The wrong one goes first, so that the right one resets a
 * lock-out counter. One session is enough for no marker: its CSRF token would look like one.
 * @throws ProbeError
 */
export async function proveLogin(scene: LoginScene, login: Login): Promise<LoginProof> {
  const { http, baseUrl } = scene;
  try {
    const refused = await logIn(http, withWrongSecret(login, scene.nonce()), baseUrl).catch(notLoggedIn);
    const before = await logIn(http, login, baseUrl);
    const pages = pagesToCheck(login, before, baseUrl);
    const seenBefore = await loadAll(http, pages, before);
    const session = await logIn(http, login, baseUrl);
    const seenNow = await loadAll(http, pages, session);
    const anonymous = [await loadAll(http, pages), await loadAll(http, pages), await loadAll(http, pages, refused)];
    for (const [index, checkUrl] of pages.entries()) {
      const here = (answers: Answer[]) => answers.slice(index, index + 1);
      const marker = markerOf(login, [...here(seenNow), ...here(seenBefore)], anonymous.flatMap(here));
      if (marker !== undefined) return { proven: true, mark: { checkUrl, marker }, session };
    }
    const lacking = login.marker === '' ? 'looks the same for anonymous visitors' : 'does not tell by the given marker';
    return { proven: false, reason: `the login was sent, but ${pages.join(' and ')} ${lacking}` };
  } catch (error) {
    if (error instanceof LoginError) return { proven: false, reason: error.message };
    throw error;
  }
}

/** @returns whether the session is still the identity's own */
export async function isAlive(http: HttpProbe, session: Session, { checkUrl, marker }: LoginMark): Promise<boolean> {
  return holds(marker, [await load(http, checkUrl, session)], []);
}

function pagesToCheck(login: Login, session: Session, baseUrl: string): string[] {
  if (login.checkUrl !== '' && URL.canParse(login.checkUrl, baseUrl)) return [new URL(login.checkUrl, baseUrl).href];
  return [...new Set([baseUrl, session.landedOn ?? baseUrl])];
}

function markerOf(login: Login, authenticated: Answer[], anonymous: Answer[]): string | undefined {
  if (login.marker !== '') return holds(login.marker, authenticated, anonymous) ? login.marker : undefined;
  const { kind } = login;
  const names = kind.case === 'form' || kind.case === 'json' ? [kind.value.username] : [];
  return findMarker(authenticated, anonymous, names);
}

async function loadAll(http: HttpProbe, urls: readonly string[], session?: Session): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const url of urls) answers.push(await load(http, url, session));
  return answers;
}

async function load(http: HttpProbe, url: string, session?: Session): Promise<Answer> {
  const { status, text } = await http.get(url, {
    maxRedirects: 3,
    ...(session ? { jar: session.jar, headers: session.headers } : { fresh: true }),
  });
  return { status, text };
}

/** A refused login has no session, which is what it should be like. */
function notLoggedIn(error: unknown): undefined {
  if (!(error instanceof LoginError)) throw error;
}
