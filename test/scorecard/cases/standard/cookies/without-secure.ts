import express, { type CookieOptions, type Response } from 'express';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

type Kept = { name: string; options: CookieOptions };

/** Pages of which the first two keep something with their visitor. */
const caseOf = (name: string, usual: Kept, other: Kept): ScoreCase => ({
  name,
  start(variant) {
    const app = express();
    const keep = (response: Response, { name: cookie, options }: Kept) => response.cookie(cookie, 'plain', options);
    app.get('/', (_request, response) => {
      keep(response, usual).send('<a href="/lamps">Lamps</a>');
    });
    app.get('/lamps', (_request, response) => {
      const options = variant === 'vulnerable' ? other.options : { ...other.options, secure: true };
      keep(response, { ...other, options }).send('<h1>Lamps</h1>');
    });
    return startApp(app);
  },
});

const secure = true;

export const cases: ScoreCase[] = [
  caseOf(
    'the same cookie, set by two pages',
    { name: 'view', options: { secure, path: '/' } },
    { name: 'view', options: { path: '/lamps' } },
  ),
  caseOf(
    'a basket beside another',
    { name: 'basket1', options: { secure, httpOnly: true } },
    { name: 'basket2', options: { httpOnly: true } },
  ),
  caseOf(
    'a language that is kept for a year',
    { name: 'language', options: { secure } },
    { name: 'language', options: { maxAge: 31_536_000_000, sameSite: 'lax' } },
  ),
];
