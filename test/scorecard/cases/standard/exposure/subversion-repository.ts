import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { subversionSamples } from '../../../../fixtures/exposed/special.ts';

export const cases = scoreCases(subversionSamples);
