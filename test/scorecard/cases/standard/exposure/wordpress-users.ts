import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { wordpressSamples } from '../../../../fixtures/exposed/special.ts';

export const cases = scoreCases(wordpressSamples);
