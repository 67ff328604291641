import type { ScoreCase } from '../../../case.ts';
import { includingShows } from '../../../sites/including-shows.ts';
import { startValuePage } from '../../../sites/value-page.ts';

export const cases: ScoreCase[] = Object.entries(includingShows).map(([name, { link, show }]) => ({
  name,
  start: (variant) => startValuePage({ link, make: show(variant) }),
}));
