import type { Candidate } from '../../model/candidate.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { accountsShownBy } from '../logins/accounts-shown.ts';
import { type BasicEntrance, basicEntrances, basicExperiment } from '../logins/basic-entrance.ts';
import { accountsByWords, defaultAccounts } from '../logins/default-accounts.ts';
import { givesEnteredLogin } from '../logins/entered-login.ts';
import { entranceExperiment } from '../logins/entrance-experiment.ts';
import { type EnteredLogin, findEntrances } from '../logins/find-entrance.ts';
import { isPrivileged } from '../sessions/roles.ts';

/** Whoever reads the page is invited: it opens what any visitor may have. */
const demonstration = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N';

/** A login accepts the account that everybody knows. Source: CWE-1392, WSTG-ATHN-02. */
export const defaultCredentials = defineCheck<EnteredLogin | BasicEntrance>({
  id: 'auth.default-credentials',
  title: 'Default credentials',
  cwe: 1392,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  depth: 'deep',
  risk: 'safe',
  triesLogins: true,
  cost: 8,

  async detect(context) {
    const basic = await basicEntrances(context, accountsByWords);
    const entered = await findEntrances(context, (login) => defaultAccounts(context, login));
    if (!Array.isArray(entered)) return basic.length > 0 ? basic : entered;
    const rated = await Promise.all(entered.map(async (each) => ({ ...each, ...(await ratingOf(context, each)) })));
    return [...basic, ...rated];
  },

  confirm: (_context, { data }) => {
    if (data && 'pair' in data) return basicExperiment(data);
    return data && entranceExperiment(data.login, data.entrance, 'the account is the one that comes with the product.');
  },

  gives: givesEnteredLogin,

  explain: {
    description:
      'The login accepts the account and the password that the product comes with or that everybody tries first, or a name that the site shows with the same word as its password.',
    impact: 'Anybody who reads the manual of the product is logged in, usually as its administrator.',
    sends:
      'Sends a login (HTTP Basic, too) at most fourteen pairs: of the product or an administration, or such as test/test, and five names that the site shows as their own password. One that works is sent four times, and its name with random passwords. A session starts, as after any login.',
    proves:
      'The pair shows a page or token of a session, twice, where another name with the same password, the name with another one and a random pair are refused. An attacker is logged in. Of what the session shows, only the distinguishing piece is kept.',
    remedy:
      'Change the password, or take the account away; make the installation ask for a password of its own, and do not start without one.',
    references: [
      'CWE-1392: https://cwe.mitre.org/data/definitions/1392.html',
      'WSTG-ATHN-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/02-Testing_for_Default_Credentials',
    ],
  },
});

/** An account that a page gives its readers to try the site, and that is no administrator's by its name. */
async function ratingOf(
  context: CheckContext,
  { data }: Candidate<EnteredLogin>,
): Promise<Pick<Candidate, 'cvss' | 'detail'>> {
  const { name, password } = data?.entrance.change.sent ?? {};
  if (!data || typeof name !== 'string' || isPrivileged({ role: name })) return {};
  const shown = await accountsShownBy(context, data.login);
  const isShown = shown.some((each) => each.in === 'text' && each.pair[0] === name && each.pair[1] === password);
  return isShown
    ? { cvss: demonstration, detail: `A page gives its readers the account "${name}", which the login accepts.` }
    : {};
}
