import { createHash, randomBytes } from 'node:crypto';
import { type Answer, html, type Request, redirect, type Site, startSite } from '../../fixtures/site.ts';

const owner = { path: '/login', username: 'dora@quay.example', password: 'correct-horse-5' };
/** The account that forgets its password. */
export const forgetful = { name: 'A', checkPath: '/home', marker: 'Signed in as dora', login: owner };

export type ResettingSite = {
  /** What somebody is answered who asks for a new password of an account that is there. */
  answer(token: string, headers: Request['headers']): Answer;
  /** The same for a name that nobody has. */
  unknown?: Answer;
  tokenOf?(name: string): string;
  /** The form is shown whatever token is in the address, and the token is looked at when it is sent. */
  shows?: 'for-any-token';
  /** The page is called "/resetpw", and takes the name beside the token. */
  needsName?: true;
};

export const sent = html('<p>If that is an account, a message is on its way.</p>');
export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** A mail with the link, whose reader follows it at once, whatever host it leads to. */
export const mailed =
  (hostIn: (headers: Request['headers']) => unknown, path = '/reset-password?token='): ResettingSite['answer'] =>
  (token, headers) => {
    fetch(`http://${hostIn(headers)}${path}${token}`, { signal: AbortSignal.timeout(3_000) }).catch(() => {});
    return sent;
  };

/** A site with a login and a page for a new password, which a token opens. */
export function startResetting({ answer, unknown = sent, tokenOf, shows, needsName }: ResettingSite): Promise<Site> {
  const tokens = new Set<string>();
  const [asking, setting] = needsName ? ['/forgotpw', '/resetpw'] : ['/forgot-password', '/reset-password'];
  return startSite(({ method, path, query, body, cookies, headers }) => {
    const fields = new URLSearchParams(body);
    if (method === 'POST' && path === '/login')
      return fields.get('email') === owner.username && fields.get('password') === owner.password
        ? { status: 302, headers: { location: '/home', 'set-cookie': 'sid=k7f3; Path=/' } }
        : html('wrong', 401);
    if (path === '/home') return cookies.sid === 'k7f3' ? html('Signed in as dora') : redirect('/login');
    if (path === asking && method === 'POST') {
      if (fields.get('email') !== owner.username) return unknown;
      const token = tokenOf?.(owner.username) ?? randomBytes(20).toString('hex');
      tokens.add(token);
      return answer(token, headers);
    }
    if (path === asking) return html('<form method=post><input name=email type=email><button>Send</button></form>');
    if (path === setting && method === 'GET')
      return shows === 'for-any-token' ||
        (tokens.has(query.get('token') ?? '') && (!needsName || query.get('email') === owner.username))
        ? html('<form method=post><input type=password name=password><button>Set</button></form>')
        : html('<p>This link is not valid.</p>', 400);
    if (path !== '/' && path !== '/login') return undefined;
    return html(
      `<a href=${asking}>Forgotten?</a><form method=post action=/login><input name=email type=email><input type=password name=password></form>`,
    );
  });
}
