import type { ScoreCase } from '../../../case.ts';
import { startMemberApi } from '../../../sites/member-api.ts';

export const cases: ScoreCase[] = [
  {
    name: 'JSON API whose list of accounts has the records as they are',
    start: (variant) =>
      startMemberApi({
        listIsOpen: true,
        lists: variant === 'vulnerable' ? ['id', 'username', 'email', 'password', 'street'] : ['id', 'username'],
      }),
  },
  {
    name: 'JSON API with an address for debugging that shows the keys of its users',
    start: (variant) =>
      startMemberApi({
        listPath: '/api/_debug/dump',
        listIsOpen: variant === 'vulnerable',
        lists: variant === 'vulnerable' ? ['username', 'api_key'] : ['username'],
      }),
  },
  {
    name: 'API with session cookies whose members are listed with their mail addresses',
    start: (variant) =>
      startMemberApi({
        session: 'cookie',
        listPath: '/api/v1/users',
        listIsOpen: true,
        lists: variant === 'vulnerable' ? ['username', 'email'] : ['username'],
      }),
  },
];
