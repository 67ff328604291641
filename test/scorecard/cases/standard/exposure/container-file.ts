import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { containerSamples } from '../../../../fixtures/exposed/source.ts';

export const cases = scoreCases(containerSamples);
