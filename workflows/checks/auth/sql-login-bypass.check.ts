import { defineCheck } from '../contract.ts';
import { givesEnteredLogin } from '../logins/entered-login.ts';
import { entranceExperiment } from '../logins/entrance-experiment.ts';
import { type EnteredLogin, findEntrances } from '../logins/find-entrance.ts';
import { sqlChanges } from '../logins/query-changes.ts';

/** A condition in a name or password lets anybody in. Source: CWE-89, WSTG-ATHN-04. */
export const sqlLoginBypass = defineCheck<EnteredLogin>({
  id: 'auth.sql-login-bypass',
  title: 'SQL injection (login bypass)',
  cwe: 89,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',
  triesLogins: true,
  cost: 50,

  detect: (context) => findEntrances(context, sqlChanges),

  confirm: (_context, { data }) =>
    data && entranceExperiment(data.login, data.entrance, 'the statement finds an account.'),

  gives: givesEnteredLogin,

  explain: {
    description:
      'What is sent to the login becomes part of a database statement. A condition in it that always holds lets somebody in without a password; a condition of the same words that never holds does not.',
    impact:
      'Anybody logs in as the first account that the statement finds, often the administrator, without knowing a name or a password. The same place answers questions about the whole database.',
    sends:
      'Sends each login up to 38 names or passwords with a condition that holds, ends after one row or a comment, some without what filters look for; never to anything but a login. The site starts a session, as after any login.',
    proves:
      'A true condition shows a page or token of a session, twice; a false one of the same words and a wrong password do not. An attacker is logged in. Of what the session shows, only the distinguishing piece is kept.',
    remedy:
      'Bind values instead of putting them into the statement: `db.prepare("SELECT id, hash FROM users WHERE name = ?").get(name)` (Node), PDO with `execute([$name])` (PHP), `cursor.execute("… WHERE name = %s", (name,))` (Python), `PreparedStatement` (Java). Read the account by its name alone and compare the password in the program with `bcrypt` or `argon2`.',
    references: [
      'CWE-89: https://cwe.mitre.org/data/definitions/89.html',
      'WSTG-ATHN-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/04-Testing_for_Bypassing_Authentication_Schema',
      'OWASP SQL Injection Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
    ],
  },
});
