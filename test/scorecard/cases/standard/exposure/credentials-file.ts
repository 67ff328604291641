import { credentialSamples } from '../../../../fixtures/exposed/credentials.ts';
import { scoreCases } from '../../../../fixtures/exposed/sample.ts';

export const cases = scoreCases(credentialSamples);
