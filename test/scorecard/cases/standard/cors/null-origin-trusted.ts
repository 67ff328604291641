import cors, { type CorsOptions } from 'cors';
import express from 'express';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

const front = 'https://app.shop.example';

/** An API below "/api" of a site, with the rules that the package "cors" is given. */
const withRules = (rulesFor: (isVulnerable: boolean) => CorsOptions): ScoreCase['start'] => {
  return (variant) => {
    const app = express();
    app.get('/', (_request, response) => response.send('<script>fetch("/api/basket")</script>'));
    app.use('/api', cors({ credentials: true, ...rulesFor(variant === 'vulnerable') }));
    app.get('/api/basket', (_request, response) => response.json({ items: [] }));
    return startApp(app);
  };
};

/** A list from the days of trying things from a local file. */
const list: ScoreCase = {
  name: 'Express API with "null" in its list',
  start: withRules((isVulnerable) => ({ origin: isVulnerable ? [front, 'null'] : [front] })),
};

/** What cannot be parsed passes. */
const parsed: ScoreCase = {
  name: 'API that lets through what it cannot parse',
  start: withRules((isVulnerable) => ({
    origin: (origin, answer) => {
      const host = URL.parse(origin ?? '')?.hostname;
      answer(null, host === undefined ? isVulnerable : host === 'app.shop.example');
    },
  })),
};

/** Headers of one's own, on pages. */
const byHand: ScoreCase = {
  name: 'PHP-like page that writes its headers by hand',
  start: (variant) => {
    const app = express();
    app.get(['/', '/index.php'], (request, response) => {
      const origin = request.get('origin') ?? '';
      const isTrusted =
        origin === front || (variant === 'vulnerable' && /^(?:https:\/\/.*\.shop\.example|null)$/.test(origin));
      if (isTrusted)
        response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
      response.send('<h1>Profile of guest</h1>');
    });
    return startApp(app);
  },
};

export const cases: ScoreCase[] = [list, parsed, byHand];
