import { defineCheck } from '../contract.ts';
import { type Exposed, exposedText, findExposed, proveExposed } from './exposed-file.ts';

/** A database, or a dump of one, is served. Source: WSTG-CONF-04, CWE-530. */
export const databaseDump = defineCheck<Exposed>({
  id: 'exposure.database-dump',
  title: 'Exposed database or database dump',
  cwe: 530,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 10,

  detect: (context) => findExposed(context, 'database-dump', { exceptLinked: true }),
  confirm: (_context, candidate) => proveExposed(candidate),
  gives: exposedText,

  explain: {
    description:
      'The web server gives out a file of a database, or what a program exported from one. Only its beginning was read, to identify it.',
    impact:
      'A dump holds the data of the application as a whole: accounts with their password hashes, addresses, orders, messages, sessions and tokens. The names are few and are tried by every scanner.',
    sends: 'GET requests for the known paths of databases and dumps, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a database file or an SQL dump; a random name beside it is not answered so. An attacker downloads the data. At most 512 KiB of it were read.',
    remedy:
      'Delete the file from the web root and treat its content as lost: change passwords and tokens, and consider whom you have to notify (GDPR article 33). Write dumps to a place that is not served (`mysqldump … | gzip > /var/backups/shop.sql.gz`), keep SQLite files outside of "public", and refuse such names: nginx `location ~* \\.(?:sql|sqlite3?|db|rdb|mdb|bak)(?:\\.gz)?$ { return 404; }`.',
    references: [
      'CWE-530: https://cwe.mitre.org/data/definitions/530.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    ],
  },
});
