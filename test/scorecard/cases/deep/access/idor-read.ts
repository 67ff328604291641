import type { ScoreCase } from '../../../case.ts';
import { startClinic } from '../../../sites/clinic.ts';
import { startDesk } from '../../../sites/desk.ts';
import { startQueriedClaims } from '../../../sites/queried-claims.ts';
import { startSessionShop } from '../../../sites/session-shop.ts';

export const cases: ScoreCase[] = [
  {
    name: 'Rails-like shop with order numbers in its paths',
    start: (variant) => startSessionShop({ showsAnyOrder: variant === 'vulnerable' }),
  },
  {
    name: 'Django-like clinic whose records have identifiers that nobody guesses',
    start: (variant) => startClinic({ showsAnyRecord: variant === 'vulnerable' }),
  },
  {
    name: 'JSON API with bearer tokens',
    start: (variant) => startDesk({ showsAnyTicket: variant === 'vulnerable' }),
  },
  {
    name: 'single-page app that makes addresses of the identifiers in a list',
    start: (variant) => startDesk({ showsAnyTicket: variant === 'vulnerable', hidesAddresses: true }),
  },
  {
    name: 'single-page app that posts queries of GraphQL for what short codes name',
    start: startQueriedClaims,
  },
];
