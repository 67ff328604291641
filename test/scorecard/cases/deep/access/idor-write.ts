import type { ScoreCase } from '../../../case.ts';
import { startMemberApi } from '../../../sites/member-api.ts';

export const cases: ScoreCase[] = [
  {
    name: 'JSON API with bearer tokens that changes the address of any member',
    start: (variant) => startMemberApi({ changesAny: variant === 'vulnerable' }),
  },
  {
    name: 'API with session cookies that changes the address of any member',
    start: (variant) => startMemberApi({ session: 'cookie', changesAny: variant === 'vulnerable' }),
  },
  {
    name: 'JSON API with types of accounts that all may change addresses',
    start: (variant) =>
      startMemberApi({
        role: { name: 'user_type', low: 'customer', high: 'admin' },
        changesAny: variant === 'vulnerable',
      }),
  },
];
