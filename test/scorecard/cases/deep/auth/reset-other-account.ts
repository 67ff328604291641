import type { ScoreCase } from '../../../case.ts';
import { type ResetDesign, startResetSite } from '../../../sites/reset-site.ts';

/** Whoever mends it goes by the account whose question was answered. */
const caseOf = (name: string, design: ResetDesign): ScoreCase => ({
  name,
  start: (variant) => startResetSite({ ...design, ...(variant === 'patched' && { kept: 'whose' }) }),
});

export const cases: ScoreCase[] = [
  caseOf('pages that keep nothing of the answer to the question', { kept: 'nothing' }),
  caseOf('pages that keep that a question was answered, and have tokens', { kept: 'that', hasToken: true }),
  caseOf('pages that ask for the name alone', { kept: 'nothing', asksNothing: true }),
];
