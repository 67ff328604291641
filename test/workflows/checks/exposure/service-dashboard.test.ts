import { serviceDashboard } from '../../../../workflows/checks/exposure/service-dashboard.check.ts';
import { dashboardSamples } from '../../../fixtures/exposed/debug.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(serviceDashboard, dashboardSamples).run();
