import { defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';

/** A page on the work of the server is open to everybody. Source: WSTG-CONF-02, CWE-497. */
export const serverStatus = defineCheck<Exposed>({
  id: 'exposure.server-status',
  title: 'Exposed server status page',
  cwe: 497,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 5,

  detect: (context) => findExposed(context, 'server-status', { route: '/{server-status}' }),
  confirm: (_context, candidate) => proveExposed(candidate),

  explain: {
    description:
      'A page that the server (Apache httpd, nginx, PHP-FPM, HAProxy, a cache or a statistics program) makes of its own work answers without logging in.',
    impact:
      'It shows versions, paths and load, in many cases the addresses of visitors and the URLs that they ask for right now, with the tokens and identifiers in them, and the names of servers behind the site.',
    sends:
      'GET requests for the known paths of status pages of servers, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a known status page; a random name beside it is not answered so. An attacker reads settings, counters, or what visitors ask for, by the kind of page.',
    remedy:
      'Let only the monitoring ask: Apache `<Location "/server-status">Require local</Location>`, nginx `location = /nginx_status { stub_status; allow 127.0.0.1; deny all; }`, PHP-FPM `pm.status_listen = 127.0.0.1:9001`, HAProxy `stats auth` or a frontend on an internal address. Where a proxy stands before the server, "local" is the proxy: refuse the path there.',
    references: [
      'CWE-497: https://cwe.mitre.org/data/definitions/497.html',
      'WSTG-CONF-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/02-Test_Application_Platform_Configuration',
      'Apache httpd, mod_status: https://httpd.apache.org/docs/2.4/mod/mod_status.html',
    ],
  },
});
