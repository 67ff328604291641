import { settingsFile } from '../../../../../workflows/checks/standard/exposure/settings-file.ts';
import { settingsSamples } from '../../../../fixtures/exposed/settings.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(settingsFile, settingsSamples).run();
