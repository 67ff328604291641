import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { leftoverSamples } from '../../../../fixtures/exposed/source.ts';

export const cases = scoreCases(leftoverSamples);
