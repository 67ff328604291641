import type { ScoreCase } from '../../../case.ts';
import { byName, byOneKey, startVerifier, weakVerifiers } from '../../../sites/token-verifier.ts';

export const cases: ScoreCase[] = Object.entries(weakVerifiers).map(([name, [header, verify]]) => ({
  name,
  start: (variant) =>
    startVerifier(header, variant === 'vulnerable' ? verify : header.alg === 'RS256' ? byOneKey : byName),
}));
