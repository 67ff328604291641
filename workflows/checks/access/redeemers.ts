import type { Step } from '../../model/experiment.ts';
import { accountLogin } from '../accounts/account-login.ts';
import { furtherAccounts } from '../accounts/further-accounts.ts';
import type { AccountEntry } from '../accounts/new-accounts.ts';
import { type CheckContext, type NotApplicable, type NotRun, notApplicable, notRun } from '../contract.ts';
import { openInput } from '../inputs/open-input.ts';
import { codePlaces, mayTakeCodes, type Redeemer } from './code-places.ts';
import type { SentCode } from './once-codes.ts';
import { type VoucherRequest, voucherSteps } from './voucher-steps.ts';
import { visitSteps } from './voucher-visit.ts';

/** Who redeems vouchers: an account that the audit has opened, with how further ones are, or a visitor where the site takes them of anybody. */
type Redeeming = { user: Redeemer; entry?: AccountEntry };

/** @returns why nobody can, where that is so. @throws ProbeError */
export async function redeemingOn(context: CheckContext): Promise<Redeeming | NotRun | NotApplicable> {
  const act = 'it redeems vouchers';
  const accounts = furtherAccounts(context, act);
  if ('user' in accounts && (await codePlaces(context, accounts.user)).length > 0) {
    const { user, recipe } = accounts;
    const login = await accountLogin(context, user, recipe);
    return { user, entry: { registration: await openInput(context, accounts.registration), login } };
  }
  if ((await codePlaces(context, undefined)).length === 0)
    return 'user' in accounts || !mayTakeCodes(context)
      ? notApplicable('Nothing takes the code of a voucher.')
      : accounts;
  return context.writes === 'create'
    ? { user: undefined }
    : notRun('would_write', `${act}: the scope of the domain has to say "writes": "create"`);
}

type Redeemed = { entry?: AccountEntry; sent: SentCode };

/** What somebody new sends in the place of a voucher, and the page that shows what from two to `most` vouchers give. @throws ProbeError, ProofError */
export async function redeemingSteps(
  context: CheckContext,
  { entry, sent }: Redeemed,
  { most, ...names }: { nonce: string; session: string; most: number },
  requests: readonly VoucherRequest[],
): Promise<Step[] | undefined> {
  return entry
    ? voucherSteps({ ...entry, sent }, { ...names, most }, requests)
    : visitSteps(context, sent, most, requests);
}
