import type { Experiment } from '../../model/experiment.ts';
import type { AccountEntry } from '../accounts/new-accounts.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { type SentCode, sentCodes } from './once-codes.ts';
import { redeemingOn, redeemingSteps } from './redeemers.ts';

type Reused = { entry?: AccountEntry; sent: SentCode; again: string };

/** Of one it cannot be said whether it is an amount or a count of tries. */
const isAmount = ({ shown: { before, after } }: SentCode): boolean =>
  Math.abs(Number(after.replace(',', '.')) - Number(before.replace(',', '.'))) !== 1;

/** One account redeems one voucher again and again. Source: CWE-837, WSTG-BUSL-05. */
export const codeReuse = defineCheck<Reused>({
  id: 'access.code-reuse',
  title: 'Business logic flaw: a voucher can be redeemed again by the same account',
  cwe: 837,
  owasp: 'A06:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:H/A:N',
  depth: 'deep',
  risk: 'caution',

  async detect(context) {
    const redeeming = await redeemingOn(context);
    if (!('user' in redeeming)) return redeeming;
    const { user, ...entry } = redeeming;
    return (await sentCodes(context, user)).flatMap((sent) => {
      const again = sent.second === 'again' ? sent.code : sent.spelling;
      if (again === undefined || !isAmount(sent)) return [];
      const how = again === sent.code ? '' : ` in another spelling (${JSON.stringify(again)})`;
      const { url, parameter, route } = sent.input;
      return [
        {
          location: { url, method: 'POST', parameter, parameterIn: 'body' as const },
          route,
          detail: `Somebody new redeemed ${sent.code} a second time${how}, and was given as much again.`,
          data: { ...entry, sent, again },
        },
      ];
    });
  },

  confirm: async (context, { data }) => data && experimentFor(context, data),

  explain: {
    description:
      'The site gives credit, points or a discount for a voucher each time that the same account sends it, or compares the code as text with those that were used and looks it up in another way (capitals, spaces).',
    impact: 'Anybody multiplies credit, discounts or points by sending one request as often as they like.',
    sends:
      'Only with `writes: "create"`, as accounts or visits of the audit’s own: redeems a voucher that a page shows twice, and in small letters and with a space behind it; where an empty basket does not ask for one, something is put into it first.',
    proves:
      'After the second request the page of a new account or visit shows twice the amount, in two trials; after a word that is no voucher in its place it shows it once. An attacker goes on as long as they like.',
    remedy:
      'Bring a code into one form first (`trim`, capitals), find the voucher by it, and store who has redeemed which voucher by its number, under a unique index on (account, voucher), in the transaction that gives the credit.',
    references: [
      'CWE-837: https://cwe.mitre.org/data/definitions/837.html',
      'WSTG-BUSL-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/05-Test_Number_of_Times_a_Function_Can_Be_Used_Limits',
    ],
  },
});

async function experimentFor(context: CheckContext, data: Reused): Promise<Experiment | undefined> {
  const first = { code: data.sent.code, note: 'It redeems the voucher.' };
  const twice = await redeemingSteps(context, data, { nonce: 'nonce', session: 'session1', most: 2 }, [
    first,
    { code: data.again, note: 'And once more, after the first answer.' },
  ]);
  const once = await redeemingSteps(context, data, { nonce: 'nonce2', session: 'session2', most: 2 }, [
    first,
    { code: '‹nonce3›', note: 'Another one sends a word of its own the second time.' },
  ]);
  return twice && once && { steps: twice, control: once };
}
