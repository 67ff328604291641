import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { addressSamples } from '../../../../fixtures/exposed/special.ts';

export const cases = scoreCases(addressSamples);
