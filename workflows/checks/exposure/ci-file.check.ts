import { defineCheck } from '../contract.ts';
import { type Exposed, exposedText, findExposed, proveExposed } from './exposed-file.ts';

/** How the site is built and deployed is served. Source: WSTG-CONF-04, CWE-538. */
export const ciFile = defineCheck<Exposed>({
  id: 'exposure.ci-file',
  title: 'Exposed build or deployment file',
  cwe: 538,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 5,

  detect: (context) => findExposed(context, 'ci-file', { route: '/{ci-file}', exceptLinked: true, maxPaths: 2 }),
  confirm: (_context, candidate) => proveExposed(candidate),
  gives: exposedText,

  explain: {
    description:
      'The web server gives out the description of a build or a deployment. It is part of the source, not of the site.',
    impact:
      'It names servers, accounts, registries, branches and variables, and shows what is done to a change before it is live. Now and then a password is in it. For an open-source project it is public anyway.',
    sends:
      'GET requests for the known paths of build and deployment files, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a known build or deployment file; a random name beside it is not answered so. An attacker reads names of servers, accounts and variables.',
    remedy:
      'Deploy what the build makes (`dist`, `public`) instead of the whole checkout, and refuse hidden files: nginx `location ~ /\\.(?!well-known/) { return 404; }`. Keep secrets in the variables of the build system.',
    references: [
      'CWE-538: https://cwe.mitre.org/data/definitions/538.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    ],
  },
});
