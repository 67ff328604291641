import type { ScoreCase } from '../../../case.ts';
import { bound, only, rows } from '../../../sites/login-judges.ts';
import { startLogin } from '../../../sites/login-sites.ts';

export const cases: ScoreCase[] = [
  {
    name: 'form with a session, whose statement has the name and the password in quotes',
    start: (variant) =>
      startLogin({
        judge:
          variant === 'patched'
            ? bound
            : ({ name, password }) => only(rows(`SELECT * FROM users WHERE name='${name}' AND password='${password}'`)),
      }),
  },
  {
    name: 'JSON with a token, whose statement has the name in a function',
    start: (variant) =>
      startLogin({
        style: 'token',
        judge:
          variant === 'patched'
            ? bound
            : ({ name, password }) =>
                rows(`SELECT * FROM users WHERE lower(name)=lower('${name}') AND password='${password}'`)[0]?.name,
      }),
  },
  {
    name: 'form that greets, with a filter for the name and none for the password',
    start: (variant) =>
      startLogin({
        style: 'page',
        judge: ({ name, password }, request) => {
          if (variant === 'patched') return bound({ name, password }, request);
          if (!/^\w+$/.test(String(name))) return undefined;
          return rows(`SELECT * FROM users WHERE (name='${name}') AND (password='${password}')`)[0]?.name;
        },
      }),
  },
];
