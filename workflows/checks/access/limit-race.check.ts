import type { Experiment } from '../../model/experiment.ts';
import type { AccountEntry } from '../accounts/new-accounts.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { type SentCode, sentCodes } from './once-codes.ts';
import { redeemingOn, redeemingSteps } from './redeemers.ts';

type Raced = { entry?: AccountEntry; sent: SentCode };

/** As many as connections to the target may be open at once. */
const copies = 5;

/** What an account may do once is done several times by requests that arrive at once. Source: CWE-362, CWE-367, WSTG-BUSL-04. */
export const limitRace = defineCheck<Raced>({
  id: 'access.limit-race',
  title: 'Race condition: a voucher is redeemed several times by simultaneous requests',
  cwe: 362,
  owasp: 'A06:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:N/I:H/A:N',
  depth: 'deep',
  risk: 'caution',

  async detect(context) {
    const redeeming = await redeemingOn(context);
    if (!('user' in redeeming)) return redeeming;
    const { user, ...entry } = redeeming;
    const sent = (await sentCodes(context, user)).filter(({ second }) => second === 'nothing');
    return sent.map((each) => ({
      location: { url: each.input.url, method: 'POST', parameter: each.input.parameter, parameterIn: 'body' as const },
      route: each.input.route,
      detail: `${copies} simultaneous requests of somebody new redeemed ${each.code} more than once.`,
      data: { ...entry, sent: each },
    }));
  },

  confirm: async (context, { data }) => data && experimentFor(context, data),

  explain: {
    description:
      'The site looks whether an account has redeemed a voucher, and writes down that it has, in two steps. Requests that arrive between them are all let pass, although one after the other the second is refused.',
    impact:
      'Anybody multiplies credit, discounts or points by sending a request several times at once. The same mistake lets balances be spent twice, and limits be passed.',
    sends: `Only with \`writes: "create"\`, as accounts or visits of the audit’s own: redeems a voucher that a page shows twice; then ${copies} times at once, and twice one after the other, each as two new ones; accounts stay.`,
    proves: `After ${copies} requests at once the page of a new account or visit shows the effect of two or more of them, twice; after two requests one after the other it shows that of one. An attacker multiplies what is meant to be given once.`,
    remedy:
      'Let the database decide in one statement: a unique index on (account, voucher), `UPDATE … SET used = true WHERE id = $1 AND used = false` and a look at the number of rows, `SELECT … FOR UPDATE` or a serializable transaction that is tried again. A look before the write decides nothing.',
    references: [
      'CWE-362: https://cwe.mitre.org/data/definitions/362.html',
      'WSTG-BUSL-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/04-Test_for_Process_Timing',
    ],
  },
});

async function experimentFor(context: CheckContext, data: Raced): Promise<Experiment | undefined> {
  const { code } = data.sent;
  const raced = await redeemingSteps(context, data, { nonce: 'nonce', session: 'session1', most: copies }, [
    { code, note: `It redeems the voucher by ${copies} requests at once.`, copies },
  ]);
  const plain = await redeemingSteps(context, data, { nonce: 'nonce2', session: 'session2', most: copies }, [
    { code, note: 'Another one redeems the voucher once.' },
    { code, note: 'And once more, after the first answer.' },
  ]);
  return raced && plain && { steps: raced, control: plain };
}
