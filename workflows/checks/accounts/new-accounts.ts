import { claim, type Step } from '../../model/experiment.ts';
import { inputSteps } from '../inputs/open-input.ts';
import type { AccountLogin } from './account-login.ts';
import { newAccountLogin } from './new-account-login.ts';
import { type ExtraField, type RegisteredAccount, type Registration, registrationRequest } from './registrations.ts';

/** Where accounts are opened, and how an account logs in. */
export type AccountEntry = { registration: Registration; login: AccountLogin };

type Opening = {
  account: RegisteredAccount;
  /** Name of the trial value that its session is kept under. */
  session: string;
  /** For the ledger and for the reader, behind "registers": "as the site asks for it". */
  how: string;
  extras?: readonly ExtraField[];
};

/** An account of a trial's own: the steps that register it and log in, and what its requests carry then. */
export function openedAccount(
  { registration, login: known }: AccountEntry,
  { account, session, how, extras = [] }: Opening,
): { steps: Step[]; headers: [string, string][] } | undefined {
  const login = newAccountLogin(known, account, session);
  if (!login) return undefined;
  const http = {
    ...registrationRequest(registration, account, extras),
    secrets: [account.password],
    lasting: {
      description: `An account was registered, ${how}.`,
      place: registration.page?.url ?? registration.url,
      registers: true as const,
    },
  };
  const step = {
    note: `Somebody without an account registers, ${how}.`,
    expect: [claim('status', 'less-than', '400')],
  };
  return { steps: [...inputSteps(registration, http, step), ...login.steps], headers: login.headers };
}
