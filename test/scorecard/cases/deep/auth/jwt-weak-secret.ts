import type { ScoreCase } from '../../../case.ts';
import { type DeskDesign, startDesk } from '../../../sites/desk.ts';

const variants: Record<string, DeskDesign & { secret: string }> = {
  'API with a word for its key': { secret: 'secret123' },
  'API with the key of an example, in a cookie': { secret: 'your-256-bit-secret', carrier: 'cookie' },
  'API with its own name in the key, and a longer hash': {
    secret: 'shop-jwt-secret',
    algorithm: 'HS512',
    carrier: 'x-access-token',
  },
};

export const cases: ScoreCase[] = Object.entries(variants).map(([name, { secret, ...design }]) => ({
  name,
  start: (variant) => startDesk({ ...design, ...(variant === 'vulnerable' ? { secret } : {}) }),
}));
