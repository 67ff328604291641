import type { HttpProbe, HttpRequest } from '../model/http.ts';
import type { Identity } from '../model/identity.ts';
import { LoginError } from '../model/login-error.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { Identities } from './identities.ts';

/** An HTTP instrument for going through a site in a session that some page of it ends. */
type Watchful = {
  http: HttpProbe;
  /** Addresses that end the session, each met once. */
  ending(): string[];
};

/**
 * Sends one request after the other, and looks after each whether the session is still there. When it is not, the session
 * is made anew and the same is asked once more: what ends it again is left out from then on; else it had run out by itself.
 * @param identity whose session goes with every request, renewed in place
 */
export function watchful(http: HttpProbe, identity: Identity, { renew }: Pick<Identities, 'renew'>): Watchful {
  const ending = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  const inSession = (request: HttpRequest) =>
    http.send({ ...request, jar: identity.jar, headers: [...identity.headers, ...ownHeaders(request, identity)] });

  const ask = async (request: HttpRequest) => {
    if (ending.has(request.url)) throw endsSession();
    const answer = await inSession(request);
    if ((await renewed(renew)).length === 0) return answer;
    const again = await inSession(request);
    if ((await renewed(renew)).length === 0) return again;
    ending.add(request.url);
    throw endsSession();
  };
  const send = (request: HttpRequest) => {
    const result = last.then(() => ask(request));
    last = result.catch(() => {});
    return result;
  };
  return {
    http: { send, get: (url, options) => send({ ...options, url, method: 'GET' }), newJar: () => http.newJar() },
    ending: () => [...ending],
  };
}

/** What the caller adds to the headers of the session, which may be those of an earlier one. */
const ownHeaders = ({ headers = [] }: HttpRequest, identity: Identity) => {
  const given = new Set(identity.headers.map(([name]) => name.toLowerCase()));
  return headers.filter(([name]) => !given.has(name.toLowerCase()));
};

async function renewed(renew: Identities['renew']): Promise<string[]> {
  try {
    return await renew();
  } catch (error) {
    if (error instanceof LoginError) throw new ProbeError('session_lost', error.message, { cause: error });
    throw error;
  }
}

const endsSession = () => new ProbeError('ends_session', 'the page ends the session of whoever opens it');
