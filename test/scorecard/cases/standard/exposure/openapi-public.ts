import { openapiSamples } from '../../../../fixtures/exposed/classic.ts';
import { scoreCases } from '../../../../fixtures/exposed/sample.ts';

export const cases = scoreCases(openapiSamples);
