import { demoHost } from './identities.ts';
import type { Weaknesses } from './weaknesses.ts';

export const sessionCookieName = 'shop_session';
export const partnerCookieName = 'shop_partner';

/** The Set-Cookie line of a session. */
export function sessionCookie(weaknesses: Weaknesses, value: string): string {
  const attributes = [
    'Path=/',
    weaknesses.cookieForSubdomains && `Domain=${demoHost}`,
    !weaknesses.cookieReadableByScript && 'HttpOnly',
    !weaknesses.cookieSentAcrossSites && 'SameSite=Lax',
    !weaknesses.cookieWithoutSecure && 'Secure',
  ];
  return [`${sessionCookieName}=${value}`, ...attributes.filter(Boolean)].join('; ');
}

/** The Set-Cookie line of a partner's pass, which is for pages of another site. When it is partitioned, each site has its own. */
export function partnerCookie(weaknesses: Weaknesses, value: string): string {
  const attributes = ['Path=/', 'HttpOnly', 'Secure', 'SameSite=None'];
  const partition = weaknesses.partnerCookieAcrossSites ? [] : ['Partitioned'];
  return [`${partnerCookieName}=${value}`, ...attributes, ...partition].join('; ');
}

/** Values of a Cookie header by name; of equal names the first one counts. */
export function readCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const [name = '', ...value] = pair.trim().split('=');
    if (!cookies.has(name)) cookies.set(name, value.join('='));
  }
  return cookies;
}
