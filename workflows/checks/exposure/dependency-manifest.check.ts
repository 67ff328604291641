import { defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';

/** The list of packages that the site is made of is public. No weakness by itself. Source: WSTG-INFO-08, CWE-200. */
export const dependencyManifest = defineCheck<Exposed>({
  id: 'exposure.dependency-manifest',
  title: 'Exposed dependency manifest',
  cwe: 200,
  owasp: 'A03:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 5,

  detect: (context) =>
    findExposed(context, 'dependency-manifest', { route: '/{manifest}', exceptLinked: true, maxPaths: 2 }),
  confirm: (_context, candidate) => proveExposed(candidate),

  explain: {
    description: 'The web server gives out a file that lists, for a package manager, what the application is made of.',
    impact:
      'It lists the installed packages with their versions, so that known weaknesses can be looked up instead of tried. It also shows that more than the built site lies in the web root.',
    sends:
      'GET requests for the known paths of package manifests and lock files, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a known manifest; a random name beside it is not answered so. An attacker reads the packages and versions in use. Shows a configuration; no attack was made.',
    remedy:
      'Serve only the built folder. Refuse the names meanwhile: nginx `location ~* /(?:composer|package)(?:-lock)?\\.(?:json|lock)$ { return 404; }`. Keep packages up to date in any case (`npm audit`, `composer audit`, `pip-audit`).',
    references: [
      'CWE-200: https://cwe.mitre.org/data/definitions/200.html',
      'WSTG-INFO-08: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/01-Information_Gathering/08-Fingerprint_Web_Application_Framework',
    ],
  },
});
