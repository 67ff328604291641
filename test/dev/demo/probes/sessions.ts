import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signToken } from '../../../../dev/demo/token.ts';
import type { Probe } from './probe.ts';

/** Whether the line that sets the session's cookie has an attribute. */
const cookie =
  (attribute: RegExp, isWeakWith: boolean): Probe =>
  async (visitor) => {
    const lines = (await visitor.get('/')).setCookies.filter((line) => line.startsWith('shop_session='));
    if (lines.length !== 1) throw new Error(`unexpected cookies: ${lines}`);
    return attribute.test(lines[0] ?? '') === isWeakWith;
  };

const configuredKey = (home: string): string =>
  JSON.parse(readFileSync(join(home, 'site/config/production.json'), 'utf8')).session.jwtSecret;

export const sessionProbes = {
  cookieWithoutSecure: cookie(/; Secure/, false),
  cookieReadableByScript: cookie(/; HttpOnly/, false),
  cookieSentAcrossSites: cookie(/; SameSite=Lax/, false),
  partnerCookieAcrossSites: async (visitor) => {
    const line = (await visitor.logIn('a')).setCookies.find((each) => each.startsWith('shop_partner=')) ?? '';
    return /; Secure; SameSite=None$/.test(line);
  },

  cookieForSubdomains: cookie(/; Domain=shop\.localhost/, true),

  sessionKeptAtLogin: async (visitor) => {
    await visitor.get('/login');
    const planted = await visitor.session();
    await visitor.logIn('a');
    const attacker = visitor.another();
    await attacker.setSession(planted);
    return (await attacker.get('/account')).text.includes('anna.berg@mail.example');
  },

  sessionOutlivesLogout: async (visitor) => {
    await visitor.logIn('a');
    const kept = await visitor.session();
    await visitor.submit('/contact', '/logout', {});
    const later = visitor.another();
    await later.setSession(kept);
    return (await later.get('/account')).status === 200;
  },

  tokenInStorage: async (visitor, { customer }) => {
    const { text } = await customer.get('/api/token');
    const token = String(JSON.parse(text).token);
    const page = await customer.get('/studio');
    const answer = await visitor.get('/api/me', { authorization: `Bearer ${token}` });
    return page.text.includes('data-access="token"') && answer.text.includes('anna.berg@mail.example');
  },

  roleFromSignedToken: async (visitor, { home }) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { jti: 'k3v9', sub: 1, name: 'Anna Berg', role: 'admin', iat: now, exp: now + 600 };
    await visitor.setSession(signToken(configuredKey(home), claims));
    const { status, text } = await visitor.get('/admin');
    return status === 200 && text.includes('Orders of all customers');
  },

  passwordsGuessable: async (visitor) => {
    const guess = { email: 'nobody@mail.example', password: 'wrong', next: '' };
    for (let count = 0; count < 10; count += 1) await visitor.submit('/login', '/login', guess);
    return (await visitor.submit('/login', '/login', guess)).status === 401;
  },

  weakSigningKey: async (visitor) => {
    const token = await tokenOf(visitor);
    const expected = createHmac('sha256', 'supersecret').update(`form:${await visitor.session()}`);
    return token === expected.digest('base64url');
  },
} satisfies Record<string, Probe>;

/** The form token of the visitor's session, from a page that always has one. */
async function tokenOf(visitor: Parameters<Probe>[0]): Promise<string> {
  const { text } = await visitor.get('/contact');
  return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
}
