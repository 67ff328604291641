import { defineCheck } from '../contract.ts';
import { type Exposed, exposedText, findExposed, proveExposed } from './exposed-file.ts';

/** Files that editors, shells and file managers leave behind are served. Source: WSTG-CONF-04, CWE-538. */
export const editorLeftover = defineCheck<Exposed>({
  id: 'exposure.editor-leftover',
  title: 'Exposed editor or shell files',
  cwe: 538,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 5,

  detect: (context) => findExposed(context, 'editor-leftover', { route: '/{leftover}', maxPaths: 2 }),
  confirm: (_context, candidate) => proveExposed(candidate),
  gives: exposedText,

  explain: {
    description:
      'The web server gives out what a program of the developers keeps for itself: the settings of an editor, the history of a shell, the list of names that a file manager made of a folder.',
    impact:
      'They name files that no page links to, projects, servers, accounts and paths. Histories of shells show what was done on the server, and passwords that were typed into commands.',
    sends:
      'GET requests for the known paths of files that editors, shells and file managers leave, and for random names beside those that answer.',
    proves:
      'The answer has the structure of such a file; a random name beside it is not answered so. An attacker reads names, paths and commands in it.',
    remedy:
      'Delete them, and let nothing but the built site be copied to the server: `rsync --exclude ".*"`, an own ignore list of the upload program, `git archive`. Refuse hidden files in the server: nginx `location ~ /\\.(?!well-known/) { return 404; }`, Apache `RedirectMatch 404 "/\\.(?!well-known/)"`. No home folder may be a web root.',
    references: [
      'CWE-538: https://cwe.mitre.org/data/definitions/538.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    ],
  },
});
