import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { settingsSamples } from '../../../../fixtures/exposed/settings.ts';

export const cases = scoreCases(settingsSamples);
