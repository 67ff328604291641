import { html, redirect } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';
import { forgetful, md5, type ResettingSite, sent, startResetting } from '../../../sites/resetting.ts';

const caseOf = (name: string, weak: ResettingSite): ScoreCase => ({
  name,
  async start(variant) {
    const site = await startResetting(variant === 'vulnerable' ? weak : { answer: () => sent });
    return { ...site, options: { depth: 'deep', writes: 'create', identities: [forgetful] } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('link in a comment', {
    answer: (token) => html(`<p>A message is on its way.</p><!-- /reset-password?token=${token} -->`),
  }),
  caseOf('redirect to the page', { answer: (token) => redirect(`/reset-password?token=${token}`) }),
  caseOf('digest of the address', { answer: () => sent, tokenOf: md5 }),
];
