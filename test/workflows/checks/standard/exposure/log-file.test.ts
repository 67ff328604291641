import { logFile } from '../../../../../workflows/checks/standard/exposure/log-file.ts';
import { logSamples } from '../../../../fixtures/exposed/logs.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(logFile, logSamples).run();
