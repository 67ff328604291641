import { debugSamples } from '../../../../fixtures/exposed/debug.ts';
import { scoreCases } from '../../../../fixtures/exposed/sample.ts';

export const cases = scoreCases(debugSamples);
