import { type LedLogin, ledLoginSite, ledMember } from '../../../../fixtures/led-logins.ts';
import { startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const caseOf = (name: string, weak: LedLogin): ScoreCase => ({
  name,
  async start(variant) {
    const accepts = variant === 'vulnerable' ? weak.accepts : 'own paths';
    const site = await startSite(ledLoginSite({ ...weak, accepts }));
    return { ...site, options: { depth: 'deep', identities: [ledMember] } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('hidden field of the form', { form: 'hidden field', parameter: 'next', accepts: 'all' }),
  caseOf('address of the page', { form: 'own address', parameter: 'returnUrl', accepts: 'all' }),
  caseOf('an address without a scheme', { form: 'hidden field', parameter: 'back', accepts: 'no scheme' }),
];
