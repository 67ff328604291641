import { type CheckContext, defineCheck } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { givesEnteredLogin } from '../logins/entered-login.ts';
import { entranceExperiment } from '../logins/entrance-experiment.ts';
import { type EnteredLogin, findEntrances } from '../logins/find-entrance.ts';
import type { Login } from '../logins/login.ts';
import { namesShown } from '../logins/names-shown.ts';
import { nosqlChanges } from '../logins/query-changes.ts';

const maxNames = 3;

/** Operators in the place of a name and a password let anybody in. Source: CWE-943, WSTG-ATHN-04. */
export const nosqlLoginBypass = defineCheck<EnteredLogin>({
  id: 'auth.nosql-login-bypass',
  title: 'NoSQL injection (login bypass)',
  cwe: 943,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',
  triesLogins: true,
  cost: 20,

  detect: (context) => findEntrances(context, async (login) => nosqlChanges(login, await namesOf(context, login))),

  confirm: (_context, { data }) => data && entranceExperiment(data.login, data.entrance, 'the query finds an account.'),

  gives: givesEnteredLogin,

  explain: {
    description:
      'What is sent to the login becomes part of a query of a document database. Operators in the place of the name and the password, or a condition in JavaScript, let somebody in; the same with the opposite operator does not.',
    impact:
      'Anybody logs in as the first account that the query finds, or as any account whose name is known, without a password.',
    sends:
      'Sends each login up to 13 names and passwords as operators (`password[$ne]=…`, or an object in JSON) or with a condition in JavaScript. The site starts a session, as after any login.',
    proves:
      'The operator that fits shows a page or token of a session, twice; its opposite and a wrong password do not. An attacker is logged in. Of what the session shows, only the distinguishing piece is kept.',
    remedy:
      'Demand texts before they get into a query: `if (typeof password !== "string") return response.sendStatus(400)`, or a schema (`z.string()`). Read the account by its name alone, `{ name: { $eq: name } }`, and compare the password in the program with `bcrypt` or `argon2`. Keep the query parser of Express at "simple"; in Mongoose set `sanitizeFilter`.',
    references: [
      'CWE-943: https://cwe.mitre.org/data/definitions/943.html',
      'WSTG-ATHN-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/04-Testing_for_Bypassing_Authentication_Schema',
    ],
  },
});

/** A shown name is a text that no template may take for its own. */
const plainName = /^[\w.@+-]{2,60}$/;

/** Names of accounts that the site shows. @throws ProbeError */
async function namesOf(context: CheckContext, { isMail, input, nameField }: Login): Promise<string[]> {
  if (nameField === undefined) return [];
  const shown = await namesShown(context, { isMail, loginPage: input.page?.url });
  return likeliest(
    context,
    shown.filter((name) => plainName.test(name)),
    maxNames,
    'names of users that the site shows',
  );
}
