import type { ScoreCase } from '../../../case.ts';
import { startClinic } from '../../../sites/clinic.ts';
import { startDesk } from '../../../sites/desk.ts';
import { startSessionShop } from '../../../sites/session-shop.ts';

const front = 'https://app.shop.example';

const repeated = (origin: string | undefined): Record<string, string> =>
  origin === undefined
    ? {}
    : { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true', Vary: 'Origin' };

export const cases: ScoreCase[] = [
  {
    name: 'Express shop with cors({ origin: true, credentials: true }) for its API',
    start: (variant) =>
      startSessionShop({
        cookie: { sameSite: 'none' },
        cors: { origin: variant === 'vulnerable' ? true : [front], credentials: true },
      }),
  },
  {
    name: 'API whose list of origins is a function that says yes',
    start: (variant) =>
      startDesk({
        carrier: 'cookie',
        isSecure: true,
        attributes: 'Path=/; HttpOnly; Secure; SameSite=None',
        cors: {
          credentials: true,
          origin: (origin, answer) => answer(null, variant === 'vulnerable' || origin === front),
        },
      }),
  },
  {
    name: 'site that repeats the origin in every answer, with a cookie that stays on the site',
    start: (variant) =>
      startClinic({
        headersFor: variant === 'vulnerable' ? repeated : (origin) => (origin === front ? repeated(origin) : {}),
      }),
  },
];
