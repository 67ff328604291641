import cors, { type CorsOptions } from 'cors';
import express from 'express';
import { startNameServer } from '../../../../fixtures/name-server.ts';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

/** An API under a name of the public internet, which is served on this machine. */
const namedApi = (host: string, originsFor: (isVulnerable: boolean) => CorsOptions['origin']): ScoreCase['start'] => {
  return async (variant) => {
    const names = await startNameServer({ [`${host} A`]: ['127.0.0.1'] });
    const app = express();
    app.get('/', (_request, response) => response.json({ me: '/v2/me' }));
    app.use('/v2', cors({ credentials: true, origin: originsFor(variant === 'vulnerable') }));
    app.get('/v2/me', (_request, response) => response.json({ name: null }));
    return startApp(app, { host, options: { dnsServer: names.address, hosts: [host] }, close: () => names.close() });
  };
};

const pattern: ScoreCase = {
  name: 'Express API with a pattern that has no end',
  start: namedApi('api.northwind.shop', (isVulnerable) =>
    isVulnerable ? /^https?:\/\/(?:\w+\.)?northwind\.shop/ : /^https?:\/\/(?:\w+\.)?northwind\.shop$/,
  ),
};

const ending: ScoreCase = {
  name: 'API below a suffix of two parts, which looks at the end of the origin',
  start: namedApi('www.harbour.co.uk', (isVulnerable) => (origin, answer) => {
    const host = URL.parse(origin ?? '')?.hostname ?? '';
    answer(
      null,
      isVulnerable ? host.endsWith('harbour.co.uk') : host === 'harbour.co.uk' || host.endsWith('.harbour.co.uk'),
    );
  }),
};

const dots: ScoreCase = {
  name: 'API whose list became a pattern with its dots left as they were',
  start: namedApi('my.account.orchard.io', (isVulnerable) => {
    const trusted = ['my.account.orchard.io', 'orchard.io'];
    const written = isVulnerable ? trusted : trusted.map((name) => name.replaceAll('.', '\\.'));
    return new RegExp(`^https?://(?:${written.join('|')})$`);
  }),
};

export const cases: ScoreCase[] = [pattern, ending, dots];
