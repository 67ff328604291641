import { installer } from '../../../../workflows/checks/exposure/installer.check.ts';
import { installerSamples } from '../../../fixtures/exposed/debug.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(installer, installerSamples).run();
