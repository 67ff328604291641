import { scoreCases } from '../../../../fixtures/exposed/sample.ts';
import { versionControlSamples } from '../../../../fixtures/exposed/version-control.ts';

export const cases = scoreCases(versionControlSamples);
