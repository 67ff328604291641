import type { ScoreCase } from '../../../case.ts';
import { renderingSites } from '../../../sites/rendering-sites.ts';

export const cases: ScoreCase[] = Object.entries(renderingSites).map(([name, { start }]) => ({ name, start }));
