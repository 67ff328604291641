import { defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';

/** Measurements of the application are open to everybody. Source: WSTG-CONF-02, CWE-497. */
export const metricsEndpoint = defineCheck<Exposed>({
  id: 'exposure.metrics-endpoint',
  title: 'Exposed metrics endpoint',
  cwe: 497,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 5,

  detect: (context) => findExposed(context, 'metrics-endpoint', { route: '/{metrics}' }),
  confirm: (_context, candidate) => proveExposed(candidate),

  explain: {
    description:
      'An endpoint that is made for the monitoring answers everybody with the measurements of the application.',
    impact:
      'Measurements name routes, services, versions, hosts and queues, and reveal how much business is done: what each request costs, how many users log in, which attempts have an effect. It is no hole by itself.',
    sends: 'GET requests for the known paths of metrics endpoints, and for random names beside those that answer.',
    proves:
      'The answer has the structure of known measurements, with their numbers; a random name beside it is not answered so. An attacker reads routes, versions, hosts and load.',
    remedy:
      'Serve measurements on a port that is not reachable from outside (Spring `management.server.port`, Go: a second `http.Server` for `/metrics` and `/debug/vars`), or let only the monitoring ask: nginx `location /metrics { allow 10.0.0.0/8; deny all; }`, or with a token of its own (`authorization` in the scrape settings of Prometheus).',
    references: [
      'CWE-497: https://cwe.mitre.org/data/definitions/497.html',
      'WSTG-CONF-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/02-Test_Application_Platform_Configuration',
      'Prometheus, security model: https://prometheus.io/docs/operating/security/',
    ],
  },
});
