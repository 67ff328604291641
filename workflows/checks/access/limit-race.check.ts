import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { isRegistered } from '../../model/gained-name.ts';
import { defineCheck, notApplicable, notRun } from '../contract.ts';
import { openInput } from '../inputs/open-input.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { type AccountEntry, openedAccount } from './new-accounts.ts';
import { codeInputs, redeeming, type SentCode, sentCodes } from './once-codes.ts';
import { accountBy, registrationsIn } from './registrations.ts';
import { repeatedly } from './shown-change.ts';

type Raced = AccountEntry & { sent: SentCode };

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
    const user = byRole(context).users.find(({ name, recipe }) => recipe && isRegistered(name));
    if (!user) return lacksIdentities(context, 'an account that the audit has opened (`writes: "create"`)');
    if (codeInputs(context, user).length === 0) return notApplicable('Nothing takes the code of a voucher.');
    if (context.writes !== 'create')
      return notRun('would_write', 'it redeems vouchers: the scope of the domain has to say "writes": "create"');
    const [found] = registrationsIn([...context.surface.inputs, ...(context.surface.heldInputs ?? [])]);
    if (!found || !user.recipe) return notApplicable('Nothing was seen by which somebody opens an account.');
    const entry = { registration: await openInput(context, found), recipe: user.recipe };
    const sent = (await sentCodes(context, user)).filter(({ second }) => second === 'nothing');
    return sent.map((each) => ({
      location: { url: each.input.url, method: 'POST', parameter: each.input.parameter, parameterIn: 'body' as const },
      route: each.input.route,
      detail: `${copies} simultaneous requests of one new account redeemed ${each.code} more than once.`,
      data: { ...entry, sent: each },
    }));
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The site looks whether an account has redeemed a voucher, and writes down that it has, in two steps. Requests that arrive between them are all let pass, although one after the other the second is refused.',
    impact:
      'Anybody multiplies credit, discounts or points by sending a request several times at once. The same mistake lets balances be spent twice, and limits be passed.',
    sends: `Only with \`writes: "create"\`, as accounts of the audit’s own: redeems a voucher that a page shows twice; then ${copies} times at once, and twice one after the other, each as two new accounts, which stay.`,
    proves: `After ${copies} requests at once the page of a new account shows the effect of two or more of them, twice; after two requests one after the other it shows that of one. An attacker multiplies what is meant to be given once.`,
    remedy:
      'Let the database decide in one statement: a unique index on (account, voucher), `UPDATE … SET used = true WHERE id = $1 AND used = false` and a look at the number of rows, `SELECT … FOR UPDATE` or a serializable transaction that is tried again. A look before the write decides nothing.',
    references: [
      'CWE-362: https://cwe.mitre.org/data/definitions/362.html',
      'WSTG-BUSL-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/04-Test_for_Process_Timing',
    ],
  },
});

function experimentFor({ registration, recipe, sent }: Raced): Experiment | undefined {
  const { input, code, shown } = sent;
  const expect = [
    claim('status', 'equals', '200'),
    claim('body', 'matches', repeatedly(shown, copies), 'The effect of two or more of them.'),
  ];
  const how = 'to redeem a voucher';
  const steps = (nonce: string, session: string, redeems: (step: Omit<Step, 'http'>, headers: Headers) => Step[]) => {
    const opened = openedAccount({ registration, recipe }, { account: accountBy(nonce), session, how });
    if (!opened) return undefined;
    const { opening } = input;
    const tokens: Step[] = opening
      ? [
          {
            http: { url: opening.url, headers: opened.headers },
            note: 'It opens the page of the voucher.',
            expect: [claim('status', 'equals', '200')],
            capture: opening.captures,
          },
        ]
      : [];
    const look = (note: string, claims: Step['expect']): Step => ({
      http: { url: shown.url, headers: opened.headers },
      note,
      expect: claims,
    });
    const sending = redeems({ note: '', expect: [claim('status', 'present')], hasEffect: true }, opened.headers);
    return [
      ...opened.steps,
      ...tokens,
      ...sending,
      look('It looks at its page, where a message may be shown once.', [claim('status', 'present')]),
      look('The page shows what the account has.', expect),
    ];
  };
  const request = (headers: Headers, more = {}) => {
    const action = redeeming(input, code);
    return { ...action, ...more, headers: [...(action.headers ?? []), ...headers] };
  };
  const raced = steps('nonce', 'session1', (step, headers) => [
    { ...step, http: request(headers, { copies }), note: `It redeems the voucher by ${copies} requests at once.` },
  ]);
  const plain = steps('nonce2', 'session2', (step, headers) => [
    { ...step, http: request(headers), note: 'Another new account redeems the voucher once.' },
    { ...step, http: request(headers), note: 'And once more, after the first answer.' },
  ]);
  return raced && plain && { steps: raced, control: plain };
}

type Headers = readonly [string, string][];
