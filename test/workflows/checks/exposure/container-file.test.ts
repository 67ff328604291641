import { containerFile } from '../../../../workflows/checks/exposure/container-file.check.ts';
import { containerSamples } from '../../../fixtures/exposed/source.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(containerFile, containerSamples).run();
