import { databaseDump } from '../../../../../workflows/checks/standard/exposure/database-dump.ts';
import { dumpSamples } from '../../../../fixtures/exposed/dumps.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(databaseDump, dumpSamples).run();
