import { defineCheck } from '../contract.ts';
import { type Exposed, exposedText, findExposed, proveExposed } from './exposed-file.ts';

/** The folder of the program is served with its own source. Source: WSTG-CONF-04, CWE-540, CWE-552. */
export const programSource = defineCheck<Exposed>({
  id: 'exposure.program-source',
  title: 'Exposed source code of the application',
  cwe: 540,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 8,

  detect: (context) => findExposed(context, 'program-source', { route: '/{program}', exceptLinked: true, maxPaths: 6 }),
  confirm: (_context, candidate) => proveExposed(candidate),
  gives: exposedText,

  explain: {
    description:
      'The folder that the site serves as static files is the one in which its own program lies (`express.static(__dirname)`, a static folder of `.`, a web root above the program), so that the program is given out as a text.',
    impact:
      'The source shows each route and how the site decides who may use it, and often keys of sessions and passwords of databases and mail servers. Whatever else lies in the folder can be fetched as well: settings, databases, files of users.',
    sends:
      'GET requests for the usual names of the file that starts a site of Node.js, Python, Ruby or Go, and for random names beside those that answer.',
    proves:
      'The answer is the source of a web server in that language, with its routes or the call that starts it; a random name beside it is not answered so. An attacker reads the program.',
    remedy:
      'Serve a folder of its own that holds nothing but files for visitors: `express.static(path.join(__dirname, "public"))`, Flask `static_folder="static"`, nginx `root /srv/app/public;`. Change every secret that stands in what was served.',
    references: [
      'CWE-540: https://cwe.mitre.org/data/definitions/540.html',
      'CWE-552: https://cwe.mitre.org/data/definitions/552.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    ],
  },
});
