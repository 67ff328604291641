import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { secretSamples } from '../../../../fixtures/exposed/secrets.ts';

export const cases = scoreCases(secretSamples);
