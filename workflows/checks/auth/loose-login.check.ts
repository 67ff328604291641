import { defineCheck } from '../contract.ts';
import { givesEnteredLogin } from '../logins/entered-login.ts';
import { entranceExperiment } from '../logins/entrance-experiment.ts';
import { type EnteredLogin, findEntrances } from '../logins/find-entrance.ts';
import { looseChanges } from '../logins/loose-changes.ts';

/** A password of another type, or none, is accepted. Source: CWE-1287, WSTG-ATHN-04. */
export const looseLogin = defineCheck<EnteredLogin>({
  id: 'auth.loose-login',
  title: 'Authentication bypass (type juggling or empty password)',
  cwe: 1287,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',
  triesLogins: true,
  cost: 20,

  detect: (context) => findEntrances(context, (login) => looseChanges(context, login)),

  confirm: (_context, { data }) => data && entranceExperiment(data.login, data.entrance, 'the comparison holds.'),

  gives: givesEnteredLogin,

  explain: {
    description:
      'The login compares the password without looking at its type, or not at all: a list, another type of JSON, nothing, or a text whose digest a loose comparison takes for zero is accepted, where a wrong password is refused.',
    impact: 'Anybody logs in without knowing the password.',
    sends:
      'Sends each login up to 16 passwords: a list (`password[]=…`), `true`, `0`, `null`, an empty one, and texts whose digest looks like zero; with likely names (the one that the form is filled in with, or "admin", and two that the site shows) nine at most. The site starts a session, as after any login.',
    proves:
      'The changed password shows a page or token of a session, twice, where a random one does not. An attacker is logged in. Of what the session shows, only the distinguishing piece is kept.',
    remedy:
      'Demand a text that is not empty before anything is compared (`is_string($password)`, `typeof password === "string"`), compare with `password_verify`, `hash_equals` or `===`, never with `==` or `strcmp(…) == 0`, and keep passwords as `bcrypt` or `argon2`. Where a directory checks the password, refuse an empty one: a bind without a password succeeds.',
    references: [
      'CWE-1287: https://cwe.mitre.org/data/definitions/1287.html',
      'WSTG-ATHN-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/04-Testing_for_Bypassing_Authentication_Schema',
      'PHP manual, comparisons: https://www.php.net/manual/en/language.operators.comparison.php',
    ],
  },
});
