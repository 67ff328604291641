import { serverStatus } from '../../../../workflows/checks/exposure/server-status.check.ts';
import { statusSamples } from '../../../fixtures/exposed/status.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(serverStatus, statusSamples).run();
