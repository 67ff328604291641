import { metricsEndpoint } from '../../../../workflows/checks/exposure/metrics-endpoint.check.ts';
import { siteOf } from '../../../fixtures/exposed/decoys.ts';
import { metricsSamples } from '../../../fixtures/exposed/status.ts';
import { json } from '../../../fixtures/site.ts';
import { exposedSuite } from './exposed-suite.ts';

const java = { 'set-cookie': 'JSESSIONID=1' };

exposedSuite(metricsEndpoint, metricsSamples, {
  clean: {
    'lists its stations under "monitoring"': siteOf(
      { '/monitoring?format=json': json({ list: [{ name: 'Station North', state: 'open' }] }) },
      java,
    ),
    'names gauges that measure nothing of Java': siteOf(
      { '/metrics/json': json({ gauges: { note: 'see "jvm.memory" below' } }) },
      java,
    ),
  },
}).run();
