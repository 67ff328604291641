import { defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';

/** A set-up that would still take an administrator is open. It is looked at, and nothing is sent to it. Source: WSTG-CONF-05, CWE-1188. */
export const installer = defineCheck<Exposed>({
  id: 'exposure.installer',
  title: 'Exposed installer',
  cwe: 1188,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'standard',
  risk: 'safe',
  cost: 5,

  detect: (context) => findExposed(context, 'installer'),
  confirm: (_context, candidate) => proveExposed(candidate),

  explain: {
    description:
      'An application is not yet set up, or its set-up can be run again: the page that asks for its database and its administrator answers everybody. Nothing was sent to it.',
    impact:
      'Whoever comes first makes the administrator account, or points the application to a database of their own, and with most of these programs can then run code on the server.',
    sends:
      'GET requests for the known paths of set-up pages, and for random names beside those that answer. No form is sent.',
    proves:
      'A known set-up shows its form for the database or the administrator, or says that it has none yet; a random name beside it does not. Who completes it owns the application; that is not tried. Only a step before that form is a milder case, and a set-up that says it is complete is not reported.',
    remedy:
      'Finish the set-up at once, or take the application away. Then remove or lock its installer: delete `/installation`, `/setup` and `/install`; WordPress: let `wp-config.php` be there and the tables be filled; Nextcloud, Gitea: `INSTALL_LOCK = true`. Until then let only your own address reach it.',
    references: [
      'CWE-1188: https://cwe.mitre.org/data/definitions/1188.html',
      'WSTG-CONF-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/05-Enumerate_Infrastructure_and_Application_Admin_Interfaces',
    ],
  },
});
