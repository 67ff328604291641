import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { apiSamples } from '../../../../fixtures/exposed/source.ts';

export const cases = scoreCases(apiSamples);
