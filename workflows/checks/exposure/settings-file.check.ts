import { defineCheck } from '../contract.ts';
import { type Exposed, exposedText, findExposed, proveExposed } from './exposed-file.ts';

/** A file of settings of the application or the server is served. Source: WSTG-CONF-04, CWE-538. */
export const settingsFile = defineCheck<Exposed>({
  id: 'exposure.settings-file',
  title: 'Exposed configuration file',
  cwe: 538,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 10,

  detect: (context) => findExposed(context, 'settings-file', { exceptLinked: true }),
  confirm: (_context, candidate) => proveExposed(candidate),
  gives: exposedText,

  explain: {
    description:
      'The web server gives out a file with the settings of the application or the server, as text. It was read in its own format (YAML, JSON, XML, INI or source code), and the names in it are those of such a file.',
    impact:
      'Such files hold passwords of databases, keys of services and the secrets that sessions are signed with; even without them they show hosts, paths, modules and rules that help with every further step.',
    sends:
      'GET requests for the known paths of configuration files of applications and servers, and for random names beside those that answer.',
    proves:
      'The answer has the structure of known settings; a random name beside it is not answered so. An attacker reads them, with secrets where the finding says so. None was used.',
    remedy:
      'Change every secret in the file: it has to count as known. Then move settings out of the web root (only the folder "public", "wwwroot" or "static" is to be served), or hand them to the process as environment. Refuse what is left: nginx `location ~* \\.(?:ya?ml|ini|conf|cnf|properties|toml|inc|config)$ { return 404; }`, Apache `<FilesMatch "\\.(ya?ml|ini|conf|inc|properties)$">Require all denied</FilesMatch>`, IIS `<requestFiltering><hiddenSegments>`.',
    references: [
      'CWE-538: https://cwe.mitre.org/data/definitions/538.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
      'The Twelve-Factor App, config: https://12factor.net/config',
    ],
  },
});
