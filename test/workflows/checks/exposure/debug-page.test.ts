import { debugPage } from '../../../../workflows/checks/exposure/debug-page.check.ts';
import { debugSamples } from '../../../fixtures/exposed/debug.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(debugPage, debugSamples).run();
