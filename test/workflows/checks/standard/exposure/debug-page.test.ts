import { debugPage } from '../../../../../workflows/checks/standard/exposure/debug-page.ts';
import { debugSamples } from '../../../../fixtures/exposed/debug.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(debugPage, debugSamples).run();
