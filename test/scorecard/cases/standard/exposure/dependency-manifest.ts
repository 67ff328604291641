import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { manifestSamples } from '../../../../fixtures/exposed/source.ts';

export const cases = scoreCases(manifestSamples);
