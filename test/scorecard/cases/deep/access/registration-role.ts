import type { ScoreCase, ScoreSite } from '../../../case.ts';
import { type MemberApiDesign, startMemberApi } from '../../../sites/member-api.ts';

/** A test system, on which accounts may stay. */
async function startTestSystem(design: MemberApiDesign): Promise<ScoreSite> {
  const site = await startMemberApi(design);
  return { ...site, options: { ...site.options, depth: 'deep', writes: 'create' } };
}

const asked = ['username', 'email'];

export const cases: ScoreCase[] = [
  {
    name: 'JSON API with bearer tokens that stores the role of a registration',
    start: (variant) => startTestSystem({ registers: variant === 'vulnerable' ? [...asked, 'role'] : asked }),
  },
  {
    name: 'API with session cookies and a flag for administrators',
    start: (variant) =>
      startTestSystem({
        session: 'cookie',
        role: { name: 'is_admin', low: 0, high: 1 },
        registers: variant === 'vulnerable' ? [...asked, 'is_admin'] : asked,
      }),
  },
  {
    name: 'JSON API with types of accounts',
    start: (variant) =>
      startTestSystem({
        role: { name: 'user_type', low: 'customer', high: 'admin' },
        registers: variant === 'vulnerable' ? [...asked, 'user_type', 'street'] : asked,
      }),
  },
];
