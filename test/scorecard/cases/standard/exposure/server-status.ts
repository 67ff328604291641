import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { statusSamples } from '../../../../fixtures/exposed/status.ts';

export const cases = scoreCases(statusSamples);
