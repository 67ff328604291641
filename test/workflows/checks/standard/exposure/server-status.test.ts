import { serverStatus } from '../../../../../workflows/checks/standard/exposure/server-status.ts';
import { statusSamples } from '../../../../fixtures/exposed/status.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(serverStatus, statusSamples).run();
