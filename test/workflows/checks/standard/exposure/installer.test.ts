import { installer } from '../../../../../workflows/checks/standard/exposure/installer.ts';
import { installerSamples } from '../../../../fixtures/exposed/debug.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(installer, installerSamples).run();
