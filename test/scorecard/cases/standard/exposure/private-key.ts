import { keySamples } from '../../../../fixtures/exposed/keys.ts';
import { scoreCases } from '../../../../fixtures/exposed/sample.ts';

export const cases = scoreCases(keySamples);
