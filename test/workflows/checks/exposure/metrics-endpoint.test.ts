import { metricsEndpoint } from '../../../../workflows/checks/exposure/metrics-endpoint.check.ts';
import { metricsSamples } from '../../../fixtures/exposed/status.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(metricsEndpoint, metricsSamples).run();
