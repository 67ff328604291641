import type { ScoreCase } from '../../../case.ts';
import { byName, byOneKey, startVerifier, weakVerifiers } from '../../../sites/token-verifier.ts';

const { 'a public key as a secret': confused } = weakVerifiers;

const byVerifier: ScoreCase[] = Object.entries(weakVerifiers).map(([name, [header, verify]]) => ({
  name,
  start: (variant) =>
    startVerifier(header, variant === 'vulnerable' ? verify : header.alg === 'RS256' ? byOneKey : byName),
}));

export const cases: ScoreCase[] = [
  ...byVerifier,
  {
    name: 'a public key as a secret, which lies in a folder that the server lists',
    start: (variant) => {
      const [header, verify] = confused;
      return startVerifier(header, variant === 'vulnerable' ? verify : byOneKey, 'in a listed folder');
    },
  },
];
