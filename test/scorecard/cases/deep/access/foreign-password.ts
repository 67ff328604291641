import type { ScoreCase } from '../../../case.ts';
import { type PasswordsDesign, startPasswordsSite } from '../../../sites/account-passwords.ts';

const caseOf = (name: string, design: PasswordsDesign, mended: PasswordsDesign['sets']): ScoreCase => ({
  name,
  start: (variant) => startPasswordsSite({ ...design, ...(variant === 'patched' && { sets: mended }) }),
});

export const cases: ScoreCase[] = [
  caseOf('interface that names the account in the path', { named: 'path', sets: 'any' }, 'own'),
  caseOf('interface that takes the name in its JSON', { named: 'member', sets: 'any' }, 'refuses'),
  caseOf('pages with a hidden number and a token', { named: 'field', sets: 'any', hasToken: true }, 'refuses'),
];
