import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { programSamples } from '../../../../fixtures/exposed/source.ts';

export const cases = scoreCases(programSamples);
