import { defineChainStep } from '../checks/contract.ts';
import { accountChange } from '../checks/logins/default-accounts.ts';
import { givesEnteredLogin } from '../checks/logins/entered-login.ts';
import type { LoginChange, LoginEntrance } from '../checks/logins/entrance.ts';
import { entranceExperiment } from '../checks/logins/entrance-experiment.ts';
import { type EnteredLogin, findEntrances } from '../checks/logins/find-entrance.ts';
import { type LeakedAccount, leakedAccounts, leakedChanges } from '../checks/logins/leaked-accounts.ts';
import { claim, type Experiment, type Step } from '../model/experiment.ts';

type LeakedEntrance = EnteredLogin & { from: LeakedAccount };

/** A file that the site gives away has a password that its login takes. Source: CWE-522, CWE-538, WSTG-CONF-04. */
export const leakedLogin = defineChainStep<LeakedEntrance>({
  id: 'chains.leaked-login',
  title: 'Account takeover: password in an exposed file',
  cwe: 522,
  owasp: 'A07:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  risk: 'safe',
  needs: [{ kind: 'exposed-text' }],
  goal: 'account takeover',
  cost: 15,

  async detect(context, [file]) {
    const accounts = file ? await leakedAccounts(context, [file]) : [];
    if (accounts.length === 0) return [];
    const sources = new Map<LoginChange, LeakedAccount>();
    const entered = await findEntrances(context, (login) =>
      leakedChanges(login, accounts).map(({ from, ...change }) => {
        sources.set(change, from);
        return change;
      }),
    );
    const candidates = Array.isArray(entered) ? entered : [];
    return candidates.flatMap(({ data, ...place }) => {
      const from = data && sources.get(data.entrance.change);
      return data && from ? [{ ...place, data: { ...data, from } }] : [];
    });
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  gives: givesEnteredLogin,

  explain: {
    description:
      'A file that everybody can read has a name and a password, or a password alone, in clear text or as a digest of a common one, and the login of the site takes them: whoever finds the file is logged in as that user.',
    impact:
      'Everybody has the account, which is often that of an administrator, without a guess and without a trace of one. What is kept in the file is only the beginning: the rest is what the account can read and change.',
    sends:
      'Reads the exposed file, or the files of the exposed repository, again, and sends each login up to 8 of the accounts there, one password for each name. The site starts a session, as after any login.',
    proves:
      'The password as it stands in the file shows a page or token of a session, twice; with another name, another password, or both it does not. An attacker is logged in.',
    remedy:
      'Change the password, take the file out of what is served, and keep no passwords of people in settings or source code: make the first account by a command that asks for one, and store nothing but its hash (argon2id, bcrypt). Use a password in one place only: that of a database must open nothing else.',
    references: [
      'CWE-522: https://cwe.mitre.org/data/definitions/522.html',
      'CWE-538: https://cwe.mitre.org/data/definitions/538.html',
      'OWASP Secrets Management Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    ],
  },
});

/** The login is sent what the trial itself has read. */
function experimentFor({ login, entrance, from }: LeakedEntrance): Experiment | undefined {
  // The word that a digest was made of stands nowhere.
  const read = accountChange(login, from.digest ? from.pair : [from.pair[0], '‹leaked›']);
  if (!read?.wrong) return undefined;
  const { tries } = entrance;
  const asRead: LoginEntrance = {
    ...entrance,
    tries: {
      ...tries,
      changed: { ...tries.changed, action: read.changed },
      twin: { ...tries.twin, action: read.twin },
      wrong: { ...(tries.wrong ?? tries.twin), action: read.wrong },
    },
  };
  const entering = entranceExperiment(login, asRead, 'the file has its password.');
  const what = from.digest ? 'a digest of the password without a salt, a common one' : 'the password';
  const file: Step = {
    http: { url: from.url },
    note: `Everybody can read "${from.file}", which has ${what}.`,
    expect: [claim('status', 'equals', '200'), claim(from.subject, 'matches', from.pattern, what)],
    capture: [{ name: 'leaked', subject: from.subject, pattern: from.pattern, secret: true }],
  };
  return { ...entering, steps: [file, ...entering.steps] };
}
