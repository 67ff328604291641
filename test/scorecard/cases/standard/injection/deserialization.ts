import type { ScoreCase } from '../../../case.ts';
import { revivingShows } from '../../../sites/reviving-shows.ts';
import { startValuePage } from '../../../sites/value-page.ts';

export const cases: ScoreCase[] = Object.entries(revivingShows).map(([name, { link, show }]) => ({
  name,
  start: (variant) => startValuePage({ link, make: show(variant) }),
}));
