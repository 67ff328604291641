import { claim, type Step } from '../../model/experiment.ts';
import { type AccountEntry, openedAccount } from '../accounts/new-accounts.ts';
import { accountBy } from '../accounts/registrations.ts';
import { fillingSteps } from './code-places.ts';
import { redeeming, type SentCode } from './once-codes.ts';
import { repeatedly, type ShownChange } from './shown-change.ts';

/** What a new account sends in the place of a voucher. @property copies at once, one by default */
export type VoucherRequest = { code: string; note: string; copies?: number };

/** A new account that sends codes one after the other, and whose page shows what from two to `most` vouchers give. */
export function voucherSteps(
  { sent: { input, filling, shown }, ...entry }: AccountEntry & { sent: SentCode },
  { nonce, session, most }: { nonce: string; session: string; most: number },
  requests: readonly VoucherRequest[],
): Step[] | undefined {
  const opened = openedAccount(entry, { account: accountBy(nonce), session, how: 'to redeem a voucher' });
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
  const send = ({ code, note, copies }: VoucherRequest): Step => {
    const action = redeeming(input, code);
    const headers = [...(action.headers ?? []), ...opened.headers];
    return {
      http: { ...action, headers, ...(copies === undefined ? {} : { copies }) },
      note,
      expect: [claim('status', 'present')],
      hasEffect: true,
    };
  };
  const carried = (step: Step): Step =>
    'http' in step
      ? { ...step, http: { ...step.http, headers: [...(step.http.headers ?? []), ...opened.headers] } }
      : step;
  return [
    ...opened.steps,
    ...(filling ? fillingSteps(filling).map(carried) : []),
    ...requests.flatMap((request) => [...tokens, send(request)]),
    ...effectClaims(shown, most).map((each) => ({ http: { url: shown.url, headers: opened.headers }, ...each })),
  ];
}

/** Two looks at the page that shows what from two to `most` vouchers give. */
export const effectClaims = (shown: ShownChange, most: number): Pick<Step, 'note' | 'expect'>[] => [
  { note: 'It looks at its page, where a message may be shown once.', expect: [claim('status', 'present')] },
  {
    note: 'The page shows what it has.',
    expect: [
      claim('status', 'equals', '200'),
      claim('body', 'matches', repeatedly(shown, most), 'What two or more vouchers give.'),
    ],
  },
];
