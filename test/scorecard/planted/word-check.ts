import type { Check } from '../../../workflows/checks/contract.ts';
import { bodyHas, checkLike } from '../../workflows/support/checks.ts';

/** A check that finds a word in the body of "/", and says so truthfully. */
export const wordCheck = (name: string, word: string): Check =>
  checkLike({
    id: `planted.${name}`,
    detect: ({ surface }) => [{ location: { url: surface.url } }],
    confirm: (_context, { location }) => bodyHas(location.url, word),
  });
