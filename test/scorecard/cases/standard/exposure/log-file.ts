import { logSamples } from '../../../../fixtures/exposed/logs.ts';
import { scoreCases } from '../../../../fixtures/exposed/sample.ts';

export const cases = scoreCases(logSamples);
