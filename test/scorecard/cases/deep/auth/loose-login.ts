import { createHash } from 'node:crypto';
import type { ScoreCase } from '../../../case.ts';
import { bound, loosely, text } from '../../../sites/login-judges.ts';
import { startLogin } from '../../../sites/login-sites.ts';

const zero = '0e835104927716203948571620394857';

export const cases: ScoreCase[] = [
  {
    name: 'comparison that takes a list for equal',
    start: (variant) =>
      startLogin({
        style: 'page',
        judge: (fields, request) =>
          variant === 'vulnerable' && Array.isArray(fields.password) ? 'ina' : bound(fields, request),
      }),
  },
  {
    name: 'digests that are compared as numbers',
    start: (variant) =>
      startLogin({
        judge: ({ password }) => {
          const digest = createHash('md5').update(text(password)).digest('hex');
          return (variant === 'vulnerable' ? loosely(digest, zero) : digest === zero) ? 'admin' : undefined;
        },
      }),
  },
  {
    name: 'directory that takes an empty password for a visitor',
    start: (variant) =>
      startLogin({
        judge: (fields, request) =>
          variant === 'vulnerable' && fields.password === '' && fields.name === 'admin'
            ? 'admin'
            : bound(fields, request),
      }),
  },
  {
    name: 'account that the page of the login names',
    start: (variant) =>
      startLogin({
        note: '<p>Only for the harbourmaster.</p>',
        judge: (fields, request) =>
          variant === 'vulnerable' && Array.isArray(fields.password) && fields.name === 'harbourmaster'
            ? 'ina'
            : bound(fields, request),
      }),
  },
];
