import { logFile } from '../../../../workflows/checks/exposure/log-file.check.ts';
import { logSamples } from '../../../fixtures/exposed/logs.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(logFile, logSamples).run();
