import type { ScoreCase } from '../../../case.ts';
import { startPointsClub } from '../../../sites/points-club.ts';

const asking = (variant: string) => (variant === 'vulnerable' ? 'at-most' : 'above-zero');

export const cases: ScoreCase[] = [
  {
    name: 'points that members give to each other',
    start: (variant) => startPointsClub({ asks: asking(variant) }),
  },
  {
    name: 'points that are paid out, by a form with a token of the session',
    start: (variant) => startPointsClub({ asks: asking(variant), does: 'pays-out', hasToken: true }),
  },
  {
    name: 'JSON API with bearer tokens',
    start: (variant) => startPointsClub({ asks: asking(variant), isApi: true }),
  },
];
