import { defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';

/** A page for developers answers visitors. It is looked at, and nothing more. Source: WSTG-CONF-05, CWE-489. */
export const debugPage = defineCheck<Exposed>({
  id: 'exposure.debug-page',
  title: 'Exposed debug page',
  cwe: 489,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 10,

  detect: (context) => findExposed(context, 'debug-page'),
  confirm: (_context, candidate) => proveExposed(candidate),

  explain: {
    description:
      'A page that a framework has for its developers (a console, a profiler, a debug bar, a trace of requests, a development server) answers without logging in. It was only looked at.',
    impact:
      'By the kind of page: consoles let visitors run code on the server; profilers and traces show requests of other visitors with their cookies, queries and variables; others show versions, routes and paths.',
    sends:
      'GET requests for the known paths of debug pages of frameworks and servers, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a known debug page; a random name beside it is not answered so. An attacker reads what it shows, and runs code where it is a console. Ignition counts for what it shows: repaired versions answer the same. Nothing was run, and what lies behind was not opened.',
    remedy:
      'Switch developer tools off in production, and do not install them there: Laravel `APP_DEBUG=false` and `composer install --no-dev`; Symfony `APP_ENV=prod`; Flask without `debug=True`; Django Debug Toolbar only when `DEBUG`; ASP.NET `<trace enabled="false"/>` and ELMAH with `allowRemoteAccess="0"`; Rails `config.consider_all_requests_local = false`; Go: serve `net/http/pprof` on 127.0.0.1 only; Node.js without `--inspect=0.0.0.0`; never expose the server of `vite` or `next dev`, but deploy what `build` makes.',
    references: [
      'CWE-489: https://cwe.mitre.org/data/definitions/489.html',
      'WSTG-CONF-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/05-Enumerate_Infrastructure_and_Application_Admin_Interfaces',
    ],
  },
});
