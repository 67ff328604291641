import type { Candidate } from '../../model/candidate.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { openInput } from '../inputs/open-input.ts';
import { candidateNames, type EnumeratedName, enumeratedName, enumerationExperiment } from '../logins/known-names.ts';
import { type Login, loginsOf } from '../logins/login.ts';

type EnumeratedLogin = { login: Login; known: EnumeratedName };

/** A wrong password is answered otherwise when the account is there. Source: CWE-204, WSTG-IDNT-04. */
export const userEnumeration = defineCheck<EnumeratedLogin>({
  id: 'auth.user-enumeration',
  title: 'User enumeration (login form)',
  cwe: 204,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'deep',
  risk: 'safe',
  triesLogins: true,
  cost: 12,

  async detect(context) {
    const logins = loginsOf(context.surface).filter(({ nameField }) => nameField !== undefined);
    if (logins.length === 0)
      return notApplicable('The site has no login that can be tried with a name that nobody has.');
    const candidates: Candidate<EnumeratedLogin>[] = [];
    for (const found of logins) {
      const login = { ...found, input: await openInput(context, found.input) };
      const known = await firstEnumerated(context, login);
      if (!known) continue;
      const { url, method, in: place, route } = login.input;
      candidates.push({
        location: { url, method, parameter: login.nameField ?? login.passwordField, parameterIn: place },
        route,
        detail: `With a wrong password, "${known.name}" was answered otherwise than names that nobody has.`,
        data: { login, known },
      });
    }
    return candidates;
  },

  confirm: (_context, { data }) => data && enumerationExperiment(data.login, data.known),

  explain: {
    description:
      'The login answers a wrong password for an account that is there otherwise than a name that nobody has: by its words, its status, where it leads or what the page there says.',
    impact:
      'An attacker finds out which of many names and mail addresses have an account here: whom to send phishing to, and for whom to try passwords from other leaks. For some sites, that somebody is a customer is a secret already.',
    sends:
      'Sends each login names that nobody has and those of two test identities, or two names that the site shows and five usual ones, each with a wrong password: an account at most four times. Nothing is sent any more as soon as the site closes the login.',
    proves:
      'Names of nobody are answered alike and that of an account otherwise, twice, each time between two of the former. What an answer repeats of the name does not count. Times are not compared.',
    remedy:
      'Answer both with the same status, text and redirect ("The name or the password is wrong"), and compute a password hash in both cases. Do the same where passwords are reset and accounts are made ("If there is an account, a message is on its way").',
    references: [
      'CWE-204: https://cwe.mitre.org/data/definitions/204.html',
      'WSTG-IDNT-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/03-Identity_Management_Testing/04-Testing_for_Account_Enumeration_and_Guessable_User_Account',
    ],
  },
});

async function firstEnumerated(context: CheckContext, login: Login): Promise<EnumeratedName | undefined> {
  const names = await candidateNames(context, login);
  for (const [index, name] of names.entries()) {
    const known = await enumeratedName(context, login, name);
    if (known === 'closed') {
      const count = names.length - index;
      const text = `${count} names were not tried at ${login.input.url}: the site takes no further logins for now`;
      context.leave({ code: 'blocked', count, text });
      return undefined;
    }
    if (known) return known;
  }
  return undefined;
}
