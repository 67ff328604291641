import { ciFile } from '../../../../../workflows/checks/standard/exposure/ci-file.ts';
import { ciSamples } from '../../../../fixtures/exposed/source.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(ciFile, ciSamples).run();
