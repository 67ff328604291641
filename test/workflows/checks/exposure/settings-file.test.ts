import { settingsFile } from '../../../../workflows/checks/exposure/settings-file.check.ts';
import { settingsSamples } from '../../../fixtures/exposed/settings.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(settingsFile, settingsSamples).run();
