import type { ScoreCase } from '../../../case.ts';
import { cookieIn, startRefusing } from '../../../sites/refusing.ts';

const guest = Buffer.from('{"name":"guest","role":"user"}').toString('base64url');
const roleIn = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()).role;
  } catch {
    return undefined;
  }
};

export const cases: ScoreCase[] = [
  {
    name: 'flag in a cookie',
    start: (variant) =>
      startRefusing({
        cookie: 'isAdmin=false; Path=/',
        isAllowed: (request) => variant === 'vulnerable' && cookieIn(request, 'isAdmin') === 'true',
      }),
  },
  {
    name: 'role in JSON in base64, with a refusal in words',
    start: (variant) =>
      startRefusing({
        cookie: `who=${guest}; Path=/`,
        refusal: { status: 200, text: 'You are not an administrator.' },
        isAllowed: (request) => variant === 'vulnerable' && roleIn(cookieIn(request, 'who')) === 'admin',
      }),
  },
  {
    name: 'number among the fields of a cookie',
    start: (variant) =>
      startRefusing({
        cookie: 'prefs=lang:en|admin:0; Path=/',
        isAllowed: (request) => variant === 'vulnerable' && cookieIn(request, 'prefs').includes('admin:1'),
      }),
  },
];
