import { dumpSamples } from '../../../../fixtures/exposed/dumps.ts';
import { scoreCases } from '../../../../fixtures/exposed/sample.ts';

export const cases = scoreCases(dumpSamples);
