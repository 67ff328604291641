import { defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';

/** The login of an administration is reachable by everybody. No weakness by itself. Source: WSTG-CONF-05, CWE-1125. */
export const adminPanel = defineCheck<Exposed>({
  id: 'exposure.admin-panel',
  title: 'Exposed administration login',
  cwe: 1125,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 10,

  detect: (context) => findExposed(context, 'admin-panel', { route: '/{admin-panel}', maxPaths: 2 }),
  confirm: (_context, candidate) => proveExposed(candidate),

  explain: {
    description:
      'Where those who run the server or its data log in, everybody can try: the page of such a program is reachable from the internet.',
    impact:
      'None by itself. Yet such programs are what attackers look for first: passwords are guessed on them, and each weakness that becomes known in them is tried on all of them within hours.',
    sends:
      'GET requests for the known paths of login pages of administration programs, and for random names beside those that answer.',
    proves:
      'The answer has the structure of the login of a known program; a random name beside it is not answered so. Shows a configuration; no login was tried.',
    remedy:
      'Let only the network of your administrators reach it (VPN, or nginx `location /phpmyadmin/ { allow 203.0.113.0/24; deny all; }`), put a second factor before it, and remove what nobody uses. For a database, a tunnel is enough: `ssh -L 3306:localhost:3306 shop`.',
    references: [
      'CWE-1125: https://cwe.mitre.org/data/definitions/1125.html',
      'WSTG-CONF-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/05-Enumerate_Infrastructure_and_Application_Admin_Interfaces',
    ],
  },
});
