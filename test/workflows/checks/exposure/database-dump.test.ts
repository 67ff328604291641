import { databaseDump } from '../../../../workflows/checks/exposure/database-dump.check.ts';
import { dumpSamples } from '../../../fixtures/exposed/dumps.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(databaseDump, dumpSamples).run();
