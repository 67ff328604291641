import { defineCheck } from '../contract.ts';
import { type Exposed, findExposed, proveExposed } from './exposed-file.ts';

/** What another version control system than Git and Subversion keeps of the site is served. Source: WSTG-CONF-04, CWE-527. */
export const versionControlFolder = defineCheck<Exposed>({
  id: 'exposure.version-control-folder',
  title: 'Exposed version control folder',
  cwe: 527,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 5,

  detect: (context) => findExposed(context, 'version-control-folder'),
  confirm: (_context, candidate) => proveExposed(candidate),

  explain: {
    description:
      'A folder in which a version control system (Mercurial, Bazaar, CVS, Darcs, Fossil) keeps the history of the site, or the list of what belongs to it, was deployed together with the site and is given out.',
    impact:
      'Who can read the history has the source code of every version, with passwords and keys that were ever committed. Who can read a list of files knows every name that is on the server, and asks for those that nothing leads to.',
    sends:
      'GET requests for the known paths of folders of Mercurial, Bazaar, CVS, Darcs and Fossil, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a file that such a system keeps; a random name beside it is not answered so. High only with a part of the history itself (Mercurial); lists of files, packs or changes are medium, a mere format is low. No source file was fetched.',
    remedy:
      'Deploy built files or an export (`hg archive`, `cvs export`, `bzr export`) instead of a working copy, and remove the folder from the web root. Refuse such paths in the server as well: nginx `location ~ /(?:\\.(?!well-known/)|CVS/|_darcs/) { return 404; }`, Apache `RedirectMatch 404 "/(\\.hg|\\.bzr|CVS|_darcs)(/|$)"`. Change every secret that the history holds.',
    references: [
      'CWE-527: https://cwe.mitre.org/data/definitions/527.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    ],
  },
});
