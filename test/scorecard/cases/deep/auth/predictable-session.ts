import { createHash, randomBytes } from 'node:crypto';
import { memberOf, membersSite, sound } from '../../../../fixtures/members.ts';
import { startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const caseOf = (name: string, weak: (count: number) => string): ScoreCase => ({
  name,
  async start(variant) {
    const strong = () => randomBytes(16).toString('hex');
    const identifierOf = variant === 'vulnerable' ? weak : strong;
    const site = await startSite(membersSite({ ...sound, beforeLogin: 'none', identifierOf }));
    return { ...site, options: { depth: 'deep', identities: [memberOf(sound)] } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('counter', (count) => String(4711 + count)),
  caseOf('digest of a counter', (count) =>
    createHash('sha1')
      .update(String(90 + count))
      .digest('hex'),
  ),
  caseOf('time in milliseconds behind a word', (count) => `session-${Date.now() + count}`),
];
