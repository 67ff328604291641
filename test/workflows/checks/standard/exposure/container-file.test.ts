import { containerFile } from '../../../../../workflows/checks/standard/exposure/container-file.ts';
import { containerSamples } from '../../../../fixtures/exposed/source.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(containerFile, containerSamples).run();
