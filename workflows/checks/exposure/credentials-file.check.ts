import { defineCheck } from '../contract.ts';
import { type Exposed, exposedText, findExposed, proveExposed } from './exposed-file.ts';

/** A file in which a program keeps passwords or tokens is served. Source: WSTG-CONF-04, CWE-522. */
export const credentialsFile = defineCheck<Exposed>({
  id: 'exposure.credentials-file',
  title: 'Exposed credentials file',
  cwe: 522,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 15,

  detect: (context) => findExposed(context, 'credentials-file'),
  confirm: (_context, candidate) => proveExposed(candidate),
  gives: exposedText,

  explain: {
    description:
      'The web server gives out a file in which a program keeps passwords, password hashes, tokens or keys: of the site itself, of a cloud, a package registry, an upload program or another host. Nothing in it was tried or kept.',
    impact:
      'Who fetches the file logs in with what is in it: changes the site by its upload account, reads its storage, publishes packages in its name. Hashes are guessed offline, at billions of tries a second.',
    sends:
      'GET requests for the known paths of files in which programs keep credentials, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a known credentials file; a random name beside it is not answered so. An attacker has the passwords, hashes or tokens in it. None of them was used, so whether they are still valid is not shown.',
    remedy:
      'Revoke and replace what is in the file first. Then take it out of the web root (upload programs: ignore `.vscode`, `.idea`, `.aws` and dot files in general), give processes their credentials by the environment or a secret store, and let the server refuse hidden files: nginx `location ~ /\\.(?!well-known/) { return 404; }`, Apache `<FilesMatch "^\\.">Require all denied</FilesMatch>`. Keep `.htpasswd` outside of the web root (`AuthUserFile /etc/apache2/shop.htpasswd`).',
    references: [
      'CWE-522: https://cwe.mitre.org/data/definitions/522.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
      'OWASP Secrets Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    ],
  },
});
