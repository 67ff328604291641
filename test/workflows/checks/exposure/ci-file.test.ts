import { ciFile } from '../../../../workflows/checks/exposure/ci-file.check.ts';
import { ciSamples } from '../../../fixtures/exposed/source.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(ciFile, ciSamples).run();
