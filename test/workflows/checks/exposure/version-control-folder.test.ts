import { versionControlFolder } from '../../../../workflows/checks/exposure/version-control-folder.check.ts';
import { versionControlSamples } from '../../../fixtures/exposed/version-control.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(versionControlFolder, versionControlSamples).run();
