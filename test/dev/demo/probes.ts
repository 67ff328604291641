import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signToken } from '../../../dev/demo/token.ts';
import type { Weaknesses } from '../../../dev/demo/weaknesses.ts';
import type { Visitor } from './client.ts';

/** For each weakness, whether the shop behaves that way. `home` is the folder of the twin. */
export const probes: Record<keyof Weaknesses, (visitor: Visitor, home: string) => Promise<boolean>> = {
  noStrictTransport: async (visitor) => !('strict-transport-security' in (await visitor.get('/')).headers),

  inlineScriptsAllowed: async (visitor) => {
    const policy = String((await visitor.get('/')).headers['content-security-policy']);
    return /script-src[^;]*'unsafe-inline'/.test(policy);
  },

  cookieWithoutSecure: async (visitor) => {
    const cookies = (await visitor.get('/')).setCookies.filter((line) => line.startsWith('shop_session='));
    if (cookies.length !== 1 || !cookies.every((line) => /; HttpOnly; SameSite=Lax/.test(line)))
      throw new Error(`unexpected cookies: ${cookies}`);
    return cookies.some((line) => !/; Secure/.test(line));
  },

  repositoryServed: async (visitor) => {
    const { status, text } = await visitor.get('/.git/HEAD');
    return status === 200 && text === 'ref: refs/heads/main\n';
  },

  searchTermUnescaped: async (visitor) => (await visitor.get('/search?q=%3Ci%3Ek3v9')).text.includes('<em><i>k3v9'),

  anyRedirectTarget: async (visitor) => {
    const { status, headers } = await visitor.get('/go?to=https%3A%2F%2Felsewhere.example%2Fpath');
    return status === 302 && headers.location === 'https://elsewhere.example/path';
  },

  ordersOfOthersReadable: async (visitor) => {
    await visitor.logIn('a');
    const answers = [await visitor.get('/orders/1042'), await visitor.get('/api/orders/1042')];
    return answers.every(({ status, text }) => status === 200 && text.includes('Orchard Rise'));
  },

  roleFromSignedToken: async (visitor, home) => {
    const { session } = JSON.parse(readFileSync(join(home, 'site/config/production.json'), 'utf8'));
    const now = Math.floor(Date.now() / 1_000);
    const claims = { jti: 'k3v9', sub: 1, name: 'Anna Berg', role: 'admin', iat: now, exp: now + 600 };
    const forged = signToken(session.jwtSecret, claims);
    await visitor.get('/');
    const [cookie] = await visitor.jar.getCookies('https://shop.localhost/');
    if (!cookie) throw new Error('the shop sent no cookie');
    cookie.value = forged;
    const { status, text } = await visitor.get('/admin');
    return status === 200 && text.includes('Orders of all customers');
  },
};

export const weaknessNames = Object.keys(probes) as (keyof Weaknesses)[];
