import { defineCheck } from '../contract.ts';
import { accountsShownBy } from '../logins/accounts-shown.ts';
import { accountChange } from '../logins/default-accounts.ts';
import { givesEnteredLogin } from '../logins/entered-login.ts';
import { entranceExperiment } from '../logins/entrance-experiment.ts';
import { type EnteredLogin, findEntrances } from '../logins/find-entrance.ts';

const places = {
  comment: 'a comment of the page',
  script: 'a script of the page',
  file: 'a file that everybody can read',
} as const;

/** The source of a page has an account that its login accepts. Source: CWE-615, CWE-798, WSTG-INFO-05. */
export const shownCredentials = defineCheck<EnteredLogin>({
  id: 'auth.shown-credentials',
  title: 'Valid credentials in the page source',
  cwe: 615,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
  depth: 'deep',
  risk: 'safe',
  triesLogins: true,
  cost: 6,

  detect: (context) =>
    findEntrances(context, async (login) => {
      const shown = await accountsShownBy(context, login);
      return shown.flatMap((account) => {
        const change = account.in === 'text' ? undefined : accountChange(login, account.pair);
        if (!change || account.in === 'text') return [];
        return [{ ...change, what: `the name "${account.pair[0]}" and the password that ${places[account.in]} has` }];
      });
    }),

  confirm: (_context, { data }) =>
    data && entranceExperiment(data.login, data.entrance, 'they stand where everybody can read them.'),

  gives: givesEnteredLogin,

  explain: {
    description:
      'A comment or a script of a page, or a file that no page is for, has a name and a password, which everybody can read, and the login accepts them.',
    impact: 'Whoever looks at the source of the page is logged in, and has what the account has.',
    sends:
      'Reads the page of the login with its scripts, the first page, pages with words of help, and up to 4 files of text that the survey came to, and sends at most four pairs that each has, three times at most. The site starts a session, as after any login.',
    proves:
      'The pair shows a page or token of a session, twice, where another name with the same password, the name with another one and a random pair are refused. An attacker is logged in. An account that the page shows its readers is meant to be used, and is no finding.',
    remedy:
      'Take the comment or the literal out of the page, change the password, or take the account away. Keep notes for developers out of what is served, and let the build fail on secrets.',
    references: [
      'CWE-615: https://cwe.mitre.org/data/definitions/615.html',
      'WSTG-INFO-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/01-Information_Gathering/05-Review_Web_Page_Content_for_Information_Leakage',
    ],
  },
});
