import type { ScoreCase } from '../../../case.ts';
import { functionSites } from '../../../sites/function-sites.ts';

export const cases: ScoreCase[] = Object.entries(functionSites).map(([name, { start }]) => ({ name, start }));
