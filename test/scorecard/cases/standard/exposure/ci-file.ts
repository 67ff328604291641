import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { ciSamples } from '../../../../fixtures/exposed/source.ts';

export const cases = scoreCases(ciSamples);
