import { createHash, createHmac } from 'node:crypto';
import { memberOf, membersSite, sound } from '../../../../fixtures/members.ts';
import { startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const caseOf = (name: string, weak: (name: string) => string): ScoreCase => ({
  name,
  async start(variant) {
    const signed = (user: string) => `${weak(user)}.${createHmac('sha256', 'k7-Werft').update(user).digest('hex')}`;
    const identifierOf = (_count: number, user: string) => (variant === 'vulnerable' ? weak : signed)(user);
    const site = await startSite(membersSite({ ...sound, beforeLogin: 'none', identifierOf }));
    return { ...site, options: { depth: 'deep', identities: [memberOf(sound)] } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('user name', (name) => name),
  caseOf('digest of the user name', (name) => createHash('md5').update(name).digest('hex')),
  caseOf('user name in JSON in base64', (name) => Buffer.from(`{"user":"${name}","ok":true}`).toString('base64url')),
];
