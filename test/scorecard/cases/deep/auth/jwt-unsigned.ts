import jwt from 'jsonwebtoken';
import type { ScoreCase } from '../../../case.ts';
import { startDesk } from '../../../sites/desk.ts';

/** As libraries once did it: the token itself says that it needs no signature. */
const byItsOwnWord = (token: string, secret: string) => {
  const { header } = jwt.decode(token, { complete: true }) ?? {};
  const isUnsecured = String(header?.alg).toLowerCase() === 'none';
  return isUnsecured ? jwt.decode(token) : jwt.verify(token, secret);
};

/** The signature is compared only where there is one. */
const whereThereIsOne = (token: string, secret: string) =>
  token.endsWith('.') ? jwt.decode(token) : jwt.verify(token, secret);

const variants = {
  'API that decodes tokens instead of verifying them': { read: (token: string) => jwt.decode(token) },
  'API that believes the algorithm of the token, in a cookie': { read: byItsOwnWord, carrier: 'cookie' },
  'API that takes a token without signature, in a header of its own': {
    read: whereThereIsOne,
    carrier: 'x-access-token',
  },
} as const;

export const cases: ScoreCase[] = Object.entries(variants).map(([name, { read, ...design }]) => ({
  name,
  start: (variant) => startDesk({ ...design, ...(variant === 'vulnerable' ? { read } : {}) }),
}));
