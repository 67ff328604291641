import cors, { type CorsOptions } from 'cors';
import express from 'express';
import session from 'express-session';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

const front = 'https://app.shop.example';

const withRules = (name: string, vulnerable: CorsOptions, patched: CorsOptions): ScoreCase => ({
  name,
  start: (variant) => {
    const app = express();
    app.use(session({ secret: 'any', resave: false, saveUninitialized: true }));
    app.get('/', (_request, response) => response.send('<script>fetch("/api/basket")</script>'));
    app.use('/api', cors(variant === 'vulnerable' ? vulnerable : patched));
    app.get('/api/basket', (_request, response) => response.json({ items: [] }));
    return startApp(app);
  },
});

/** Headers of one's own, on pages. */
const byHand: ScoreCase = {
  name: 'PHP-like page that writes its headers by hand',
  start: (variant) => {
    const app = express();
    app.get(['/', '/index.php'], (request, response) => {
      const origin = request.get('origin') ?? '*';
      if (variant === 'vulnerable' || origin === front)
        response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
      response.cookie('PHPSESSID', '0f3b5c77b2aa41d8', { httpOnly: true }).send('<h1>Profile of guest</h1>');
    });
    return startApp(app);
  },
};

export const cases: ScoreCase[] = [
  withRules(
    'Express API that repeats whoever asks',
    { origin: true, credentials: true },
    { origin: front, credentials: true },
  ),
  withRules('API that became public', { origin: /./, credentials: true }, { origin: '*' }),
  byHand,
];
