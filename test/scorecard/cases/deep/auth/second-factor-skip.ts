import { startSite } from '../../../../fixtures/site.ts';
import { type TwoFactorDesign, twoFactorSite } from '../../../../fixtures/two-factor.ts';
import type { ScoreCase } from '../../../case.ts';

const caseOf = (name: string, design: Omit<TwoFactorDesign, 'opens'>): ScoreCase => ({
  name,
  async start(variant) {
    const opens = variant === 'vulnerable' ? 'everything' : 'nothing';
    const site = await startSite(twoFactorSite({ ...design, opens }));
    return { ...site, options: { depth: 'deep' } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('harbour whose code has a page', { asks: 'page' }),
  caseOf('harbour that asks for the code at once', { asks: 'answer', memberPath: '/dashboard' }),
  caseOf('harbour with a code of an app', {
    asks: 'page',
    memberPath: '/profile',
    codePage:
      '<h2>Two-factor authentication</h2><form method="post" action="/check"><label>Authenticator code <input type="number" name="otp"></label><button>Verify</button></form>',
  }),
];
