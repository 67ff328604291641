import { defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';

/** A service behind the site answers everybody without a login. Source: WSTG-CONF-05, CWE-306. */
export const serviceDashboard = defineCheck<Exposed>({
  id: 'exposure.service-dashboard',
  title: 'Exposed service dashboard',
  cwe: 306,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 15,

  detect: (context) => findExposed(context, 'service-dashboard', { maxPaths: 2 }),
  confirm: (_context, candidate) => proveExposed(candidate),

  explain: {
    description:
      'A service that belongs to the inside of the site (a database, a queue, a build or cluster manager, a mail catcher, a registry) answers through the web server without a login. One reading request was made.',
    impact:
      'By the kind of service: data of users can be read and changed, jobs started, or code run on the servers; others show how the inside is built.',
    sends:
      'GET requests for the known paths of databases, queues, build and cluster services, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a known service and asks for no password; a random name beside it is not answered so. An attacker reads what it shows. Docker, Kubernetes and Hadoop count for what was read alone: that they also run code is never tried.',
    remedy:
      'Take the route to the service out of the proxy and bind the service to an internal address (`bind 127.0.0.1`, a network of its own in Docker: no `ports:`). Where people have to reach it, put a login before it (VPN, an authenticating proxy such as oauth2-proxy, nginx `auth_basic`), and switch on its own: Elasticsearch `xpack.security.enabled: true`, Jenkins "Logged-in users can do anything" without anonymous read, Docker only on its Unix socket, Sidekiq and Bull boards behind the middleware of your administrators.',
    references: [
      'CWE-306: https://cwe.mitre.org/data/definitions/306.html',
      'WSTG-CONF-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/05-Enumerate_Infrastructure_and_Application_Admin_Interfaces',
    ],
  },
});
