import { defineCheck } from '../contract.ts';
import { type Exposed, exposedText, findExposed, proveExposed } from './exposed-file.ts';

/** A log is served. Source: WSTG-CONF-04, CWE-532. */
export const logFile = defineCheck<Exposed>({
  id: 'exposure.log-file',
  title: 'Exposed log file',
  cwe: 532,
  owasp: 'A09:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 10,

  detect: (context) => findExposed(context, 'log-file'),
  confirm: (_context, candidate) => proveExposed(candidate),
  gives: exposedText,

  explain: {
    description:
      'The web server gives out a log. Several of its lines have the form that the program gives to them; their text is not kept.',
    impact:
      'Logs contain paths, queries, addresses of visitors, errors with the values that caused them, and often tokens, session identifiers or passwords that stood in a request. They also show an attacker what each attempt does.',
    sends: 'GET requests for the known paths of log files, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a log; a random name beside it is not answered so. An attacker reads paths, errors and visitors’ requests. It is graver with values that nobody guesses, in requests that were not refused; what scanners sent does not count. None was used.',
    remedy:
      'Write logs outside of the web root (`error_log = /var/log/php/shop.log`, WordPress `define("WP_DEBUG_LOG", "/var/log/wp.log")`, Laravel and Symfony: only "public" is the web root), and refuse them in the server: nginx `location ~* (?:\\.log|/error_log)$ { return 404; }`, Apache `<FilesMatch "(\\.log|^error_log)$">Require all denied</FilesMatch>`. Delete what is there, and change what secrets it shows.',
    references: [
      'CWE-532: https://cwe.mitre.org/data/definitions/532.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
      'OWASP Logging Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html',
    ],
  },
});
