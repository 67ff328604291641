import type { ScoreCase } from '../../../case.ts';
import { startClinic } from '../../../sites/clinic.ts';
import { startDesk } from '../../../sites/desk.ts';
import { startPortal } from '../../../sites/portal.ts';

const sameSite = (variant: string) => (variant === 'vulnerable' ? 'None' : 'Lax');

export const cases: ScoreCase[] = [
  {
    name: 'API whose token is in a cookie for every site',
    start: (variant) =>
      startDesk({
        carrier: 'cookie',
        isSecure: true,
        attributes: `Path=/; HttpOnly; Secure; SameSite=${sameSite(variant)}`,
      }),
  },
  {
    name: 'portal that sets its cookie at the log in',
    start: (variant) =>
      startPortal({
        startsAtLogin: true,
        attributes: `path=/; secure; HttpOnly; samesite=${sameSite(variant).toLowerCase()}`,
      }),
  },
  {
    name: 'Django-like site that lets frames of partners have its session',
    start: (variant) =>
      startClinic({
        isSecure: true,
        attributes: `Path=/; HttpOnly; Secure; SameSite=None${variant === 'patched' ? '; Partitioned' : ''}`,
      }),
  },
];
