import { versionControlFolder } from '../../../../../workflows/checks/standard/exposure/version-control-folder.ts';
import { versionControlSamples } from '../../../../fixtures/exposed/version-control.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(versionControlFolder, versionControlSamples).run();
