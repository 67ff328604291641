import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { metricsSamples } from '../../../../fixtures/exposed/status.ts';

export const cases = scoreCases(metricsSamples);
