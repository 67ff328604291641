import { serviceDashboard } from '../../../../../workflows/checks/standard/exposure/service-dashboard.ts';
import { dashboardSamples } from '../../../../fixtures/exposed/debug.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(serviceDashboard, dashboardSamples).run();
