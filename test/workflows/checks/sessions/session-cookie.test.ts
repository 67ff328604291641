import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isSession, signalsOf } from '../../../../workflows/checks/sessions/session-cookie.ts';
import { parseSetCookie } from '../../../../workflows/checks/sessions/set-cookie.ts';

const test = suite('what is taken for a session');

const hex = () => randomBytes(16).toString('hex');
const base64 = (bytes = 20) => randomBytes(bytes).toString('base64url');

/** From the line alone, as the frameworks send it. */
const setsSession = (line: string): boolean => {
  const cookie = parseSetCookie(line);
  const signals = cookie && signalsOf(cookie);
  return signals !== undefined && isSession(signals);
};

const frameworks: Record<string, string> = {
  PHP: `PHPSESSID=${hex().slice(0, 26)}`,
  'PHP with a prefix': `__Secure-PHPSESSID=${hex()}`,
  'Java servlets': `JSESSIONID=${hex().toUpperCase()}.node1`,
  'Spring Session': `SESSION=${Buffer.from(crypto.randomUUID()).toString('base64')}`,
  'ASP.NET': `ASP.NET_SessionId=${hex().slice(0, 24)}`,
  'ASP.NET Core Identity': `.AspNetCore.Identity.Application=CfDJ8${base64(120)}`,
  'ASP classic': `ASPSESSIONIDQQBBSTDC=${hex()}`,
  Django: `sessionid=${hex()}`,
  'Django with a prefix': `__Host-sessionid=${hex()}`,
  Flask: `session=eyJfZnJlc2giOmZhbHNlfQ.${base64(6)}.${base64(20)}`,
  'Express with express-session': `connect.sid=s%3A${base64(24)}.${base64(32)}`,
  Laravel: `laravel_session=eyJpdiI6${base64(120)}`,
  Rails: `_shop_session=${base64(60)}--${randomBytes(20).toString('hex')}`,
  CodeIgniter: `ci_session=${hex()}`,
  ColdFusion: `CFTOKEN=${hex()}`,
  Drupal: `SSESS${hex()}=${base64(32)}`,
  WordPress: `wordpress_logged_in_${hex()}=ann%7C1700000000%7C${base64(32)}`,
  'next-auth': `__Secure-next-auth.session-token=${base64(90)}`,
  'better-auth': `better-auth.session_token=${base64(24)}.${base64(32)}`,
  Supabase: `sb-abcdefgh-auth-token=base64-${base64(90)}`,
  Koa: `koa.sess=${base64(40)}`,
};

for (const [framework, pair] of Object.entries(frameworks))
  test(`that of ${framework} is`, () => {
    assert.ok(setsSession(`${pair}; Path=/; HttpOnly`));
  });

for (const line of [
  'theme=dark',
  'lang=en-GB; HttpOnly',
  'sessionid=1',
  'logged_in=no; HttpOnly',
  `csrftoken=${hex()}`,
  `XSRF-TOKEN=${base64(60)}`,
  `__Host-csrf=${hex()}; Secure; HttpOnly`,
  `_ga=GA1.2.${Date.now()}.1700000000`,
  `__cf_bm=${base64(60)}; HttpOnly`,
  `AWSALB=${base64(60)}`,
  `visitor_id=${hex()}`,
  `__Secure-consent=${base64(30)}; HttpOnly`,
  'PHPSESSID=; Max-Age=0',
])
  test(`"${line.replace(/=.{16,}?(?=;|$)/, '=…')}" is not`, () => {
    assert.not.ok(setsSession(line));
  });

test.run();
