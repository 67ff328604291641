import { metricsEndpoint } from '../../../../../workflows/checks/standard/exposure/metrics-endpoint.ts';
import { metricsSamples } from '../../../../fixtures/exposed/status.ts';
import { exposedSuite } from './exposed-suite.ts';

exposedSuite(metricsEndpoint, metricsSamples).run();
