import { randomBytes } from 'node:crypto';
import { clubMember, type SessionMaker, signedClub } from '../../../../fixtures/signed-sessions.ts';
import { startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const caseOf = (maker: SessionMaker, weak: string, hasUser: boolean): ScoreCase => ({
  name: `${maker}, ${hasUser ? 'the session of a user' : 'that of a visitor'}`,
  async start(variant) {
    const secret = variant === 'vulnerable' ? weak : randomBytes(24).toString('hex');
    const site = await startSite(signedClub(maker, secret));
    return { ...site, options: { depth: 'deep', identities: hasUser ? [clubMember] : [] } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('flask', 'development key', false),
  caseOf('starlette', 'my-secret-key', true),
  caseOf('cookie-session', 'shhhhh', true),
];
