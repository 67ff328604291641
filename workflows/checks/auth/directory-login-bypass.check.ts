import { defineCheck } from '../contract.ts';
import { givesEnteredLogin } from '../logins/entered-login.ts';
import { entranceExperiment } from '../logins/entrance-experiment.ts';
import { type EnteredLogin, findEntrances } from '../logins/find-entrance.ts';
import { directoryChanges } from '../logins/query-changes.ts';

/** A condition in a name or password lets anybody in. Source: CWE-90, CWE-643, WSTG-ATHN-04. */
export const directoryLoginBypass = defineCheck<EnteredLogin>({
  id: 'auth.directory-login-bypass',
  title: 'LDAP or XPath injection (login bypass)',
  cwe: 90,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',
  triesLogins: true,
  cost: 10,

  detect: (context) => findEntrances(context, directoryChanges),

  confirm: (_context, { data }) => data && entranceExperiment(data.login, data.entrance, 'the query finds an account.'),

  gives: givesEnteredLogin,

  explain: {
    description:
      'What is sent to the login becomes part of an LDAP filter or an XPath expression. An asterisk, or a condition that always holds, lets somebody in; the same with a condition that never holds does not.',
    impact: 'Anybody logs in as the first account that the query finds, without a password.',
    sends:
      'Sends each login an asterisk as name and password, a filter that closes early, and up to 4 XPath conditions. The site starts a session, as after any login.',
    proves:
      'The value that fits anything shows a page or token of a session, twice; one that fits nothing and a wrong password do not. An attacker is logged in. Of what the session shows, only the distinguishing piece is kept.',
    remedy:
      'Escape values by RFC 4515 §3 (`ldap_escape($name, "", LDAP_ESCAPE_FILTER)`, `new EqualityFilter({ attribute: "uid", value: name })`), find the account by its name, and let the directory check the password by a bind. In XPath bind variables (`XPathVariableResolver`), and compare the password in the program.',
    references: [
      'CWE-90: https://cwe.mitre.org/data/definitions/90.html',
      'CWE-643: https://cwe.mitre.org/data/definitions/643.html',
      'WSTG-ATHN-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/04-Testing_for_Bypassing_Authentication_Schema',
    ],
  },
});
