import type { ScoreCase } from '../../../case.ts';
import { innerServices } from '../../../sites/inner-services.ts';

export const cases: ScoreCase[] = Object.entries(innerServices).map(([name, { start }]) => ({ name, start }));
