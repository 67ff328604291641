import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import { orders } from '../../probe/gate/words/ordering.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { newTrialValues } from '../../proof/template.ts';
import { formInputs } from '../../survey/form-inputs.ts';
import { accountLogin } from '../accounts/account-login.ts';
import { furtherAccounts } from '../accounts/further-accounts.ts';
import { type AccountEntry, openedAccount } from '../accounts/new-accounts.ts';
import { accountBy } from '../accounts/registrations.ts';
import { unlessUnsent } from '../accounts/unless-unsent.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { openInput, requestOfInput } from '../inputs/open-input.ts';
import { contextAs } from '../visitors/as-visitor.ts';
import { accountStates, withoutName } from './account-states.ts';
import { type ShownChange, shownChanges } from './shown-change.ts';

type RaisedBalance = AccountEntry & { input: OpenedInput; shown: ShownChange };

/** What is given, paid in or taken out, by its name. Things that lie in a basket are looked at by the check of prices. */
const amountNames =
  /^(?:.*[._-])?(?:amount|points?|coins?|credits?|sum|value|tokens?|gems|shares?|hours?|betrag|summe|punkte|menge|montant|importe|importo|cantidad|bedrag)$/i;
/** Whom it is given to. */
const recipientNames =
  /^(?:.*[._-])?(?:to|recipient|receiver|user(?:_?name)?|account|payee|beneficiary|colleague|friend|name|empf[aä]nger|destinataire|destinatario)$/i;
const maxInputs = 4;
/** No price or usual sum. */
const amount = 137;

/** An amount below zero turns round what a request does. Source: CWE-1284, WSTG-BUSL-01. */
export const negativeAmount = defineCheck<RaisedBalance>({
  id: 'access.negative-amount',
  title: 'Business logic: a negative amount raises the sender’s balance',
  cwe: 1284,
  owasp: 'A06:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:H/A:N',
  depth: 'deep',
  risk: 'caution',

  async detect(context) {
    const accounts = furtherAccounts(context, 'it sends amounts below zero');
    if (!('user' in accounts)) return accounts;
    const { user, recipe, registration } = accounts;
    const surface = context.surfaces[user.name];
    const inputs = surface ? amountInputs(surface) : [];
    if (!surface || inputs.length === 0) return notApplicable('Nothing was seen that takes an amount of something.');
    const entry = {
      registration: await openInput(context, registration),
      login: await accountLogin(context, user, recipe),
    };
    const found: Candidate<RaisedBalance>[] = [];
    for (const input of likeliest(context, inputs, maxInputs, 'inputs for an amount')) {
      const raised = await raisedBy(context, user, surface, withRecipient(context, user, input)).catch(unlessUnsent);
      if (!raised) continue;
      found.push({
        location: { url: input.url, method: input.method, parameter: input.parameter, parameterIn: 'body' },
        route: input.route,
        detail: `After the amount −${amount} the page of the account that sent it showed ${raised.shown.after} instead of ${raised.shown.before}.`,
        data: { ...entry, ...raised },
      });
    }
    return found;
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'A request that takes an amount away from an account, to give it to another one or to pay it out, also takes an amount below zero: it then adds to the account that sends it.',
    impact:
      'Anybody with an account gives themselves any balance. Where the amount is that of a transfer, it is taken from an account of somebody else’s choice, who is not asked.',
    sends: `Only with \`writes: "create"\`, as accounts of the audit’s own: sends up to ${maxInputs} inputs for an amount −${amount}, to another of its accounts where a name is asked for, else to whom the form names, then as four new accounts. Accounts and amounts stay. Nothing is ordered.`,
    proves: `The page of a new account shows ${amount} more than before it sent −${amount}, twice; that of another one does not after ${amount}. An attacker repeats it. What the balance can be spent on is not shown.`,
    remedy:
      'Refuse amounts that are not above zero on the server before anything is compared with the balance (`if (!(amount > 0)) return refuse()`), and let the database do the same: `CHECK (amount > 0)`. `min="1"` in a form is no rule.',
    references: [
      'CWE-1284: https://cwe.mitre.org/data/definitions/1284.html',
      'WSTG-BUSL-01: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/01-Test_Business_Logic_Data_Validation',
    ],
  },
});

/** Also of forms that the survey left alone since their words say that they act. */
function amountInputs({ inputs, heldInputs = [], forms }: Surface): InputSurface[] {
  const found = [...inputs, ...heldInputs, ...forms.flatMap(formInputs)].filter(
    ({ method, in: place, parameter, url }) =>
      method === 'POST' && place === 'body' && amountNames.test(parameter) && !orders(new URL(url).pathname),
  );
  return [...new Map(found.map((each) => [`${each.url} ${each.parameter}`, each])).values()];
}

/** What asks for a name is given that of another account of the audit's own. */
function withRecipient({ identities }: CheckContext, user: Identity, input: InputSurface): InputSurface {
  const other = Object.values(identities).find(({ name, userName }) => name !== user.name && userName)?.userName;
  if (other === undefined) return input;
  const named = ({ name, value }: InputSurface['others'][number]) => ({
    name,
    value: recipientNames.test(name) && !isNumber(value) ? other : value,
  });
  return {
    ...input,
    others: input.others.map(named),
    ...(input.json && { json: { ...input.json, body: namedInJson(input.json.body, named) } }),
  };
}

function namedInJson(body: string, named: (member: { name: string; value: string }) => { value: string }): string {
  const root = parseJson(body);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return body;
  const members = Object.entries(root).map(([name, value]) => [
    name,
    typeof value === 'string' ? named({ name, value }).value : value,
  ]);
  return JSON.stringify(Object.fromEntries(members));
}

const isNumber = (text: string): boolean => /^\d+$/.test(text);

const sending = (input: OpenedInput, value: string): HttpAction => ({
  ...inputAction(input, value),
  lasting: {
    description: `An account of the audit's own sent the amount ${value}.`,
    place: input.page?.url ?? input.url,
    ofOwnAccounts: true,
  },
});

async function raisedBy(
  context: CheckContext,
  user: Identity,
  surface: Surface,
  input: InputSurface,
): Promise<Pick<RaisedBalance, 'input' | 'shown'> | undefined> {
  const own = contextAs(context, user, surface);
  const opened = await openInput(own, input);
  const states = accountStates(context, surface, user, input);
  const read = async () => {
    const texts: string[] = [];
    for (const url of states) texts.push((await own.http.get(url, { fresh: true })).text);
    return texts;
  };
  const before = await read();
  const request = await requestOfInput(own, opened, sending(opened, String(-amount)), newTrialValues(context.nonce));
  await context.store?.(user.name, request, async () => undefined);
  const after = await read();
  const [shown] = states
    .flatMap((url, index) => shownChanges(url, before[index] ?? '', after[index] ?? ''))
    .filter((change) => Math.abs(Number(change.after) - Number(change.before) - amount) < 0.005)
    .map((change) => ({ ...change, context: withoutName(change.context, user.userName) }));
  return shown && { input: opened, shown };
}

function experimentFor(data: RaisedBalance): Experiment | undefined {
  const raised = stepsOf(data, -amount, { nonce: 'nonce', session: 'session1' });
  const lowered = stepsOf(data, amount, { nonce: 'nonce2', session: 'session2' });
  return raised && lowered && { steps: raised, control: lowered };
}

function stepsOf(
  { input, shown, ...entry }: RaisedBalance,
  sent: number,
  { nonce, session }: { nonce: string; session: string },
): Step[] | undefined {
  const how = 'to send an amount';
  const opened = openedAccount(entry, { account: accountBy(nonce), session, how });
  if (!opened) return undefined;
  const { headers } = opened;
  const { opening } = input;
  const tokens: Step[] = opening
    ? [
        {
          http: { url: opening.url, headers },
          note: 'It opens the page that the amount is sent from.',
          expect: [claim('status', 'equals', '200')],
          capture: opening.captures,
        },
      ]
    : [];
  const action = sending(input, String(sent));
  const before = `${session}had`;
  return [
    ...opened.steps,
    ...tokens,
    {
      http: { url: shown.url, headers },
      note: 'Its page shows what it has.',
      expect: [claim('status', 'equals', '200')],
      capture: [{ name: before, subject: 'body', pattern: `${escapePattern(shown.context)}(-?\\d{1,9})` }],
    },
    {
      http: { ...action, headers: [...(action.headers ?? []), ...headers] },
      note: `It sends the amount ${sent}.`,
      expect: [claim('status', 'present')],
      hasEffect: true,
    },
    {
      http: { url: shown.url, headers },
      note: `Its page shows ${amount} more.`,
      expect: [
        claim('status', 'equals', '200'),
        claim(
          'body',
          'matches',
          `${escapePattern(shown.context)}‹sum:${before}:${amount}›(?:[.,]0{1,2})?(?:[^\\d.,]|[.,]\\D|$)`,
        ),
      ],
    },
  ];
}
