import { type LoginStepsDesign, loginStepsSite } from '../../../../fixtures/login-steps.ts';
import { startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const caseOf = (name: string, design: Omit<LoginStepsDesign, 'opens'>): ScoreCase => ({
  name,
  async start(variant) {
    const site = await startSite(loginStepsSite({ ...design, opens: variant === 'vulnerable' ? 'named' : 'asked' }));
    return { ...site, options: { depth: 'deep', writes: 'create' } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('harbour that asks for the name first', {}),
  caseOf('harbour whose second page only goes on', { asksAtOnce: true }),
  caseOf('harbour with tokens in its forms', { hasToken: true }),
];
