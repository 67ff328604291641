import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { shownIn } from '../checks/access/shown-credentials.ts';
import { labelledInputs } from '../checks/accounts/registering-labels.ts';
import {
  accountBy,
  type RegisteredAccount,
  type Registration,
  registrationsIn,
} from '../checks/accounts/registrations.ts';
import type { CheckContext } from '../checks/contract.ts';
import { likeliest } from '../checks/inputs/at-most.ts';
import type { AccountPair } from '../checks/logins/default-accounts.ts';
import { findToken } from '../login/json-path.ts';
import { parseJson } from '../model/json.ts';
import { ProbeError } from '../model/probe-error.ts';
import { ProofError } from '../proof/proof-error.ts';
import { fill, newTrialValues } from '../proof/template.ts';
import type { Audit } from './audit-context.ts';
import { accepted, asOffered, type GainedAccount, hows, offersOf } from './gaining.ts';
import { openedBy } from './guest-sessions.ts';
import type { SentInvitation } from './registration-form.ts';
import { cookieHeader, invitationFieldOf, type Registrant, walkThrough } from './registration-walk.ts';

/** Pages that may show the code of an invitation. */
const maxPages = 16;
const maxInvitations = 3;

/**
 * Opens accounts where the site lets everybody, each of which stays and is in the ledger of writes.
 * @param tried may send what logs in
 */
export async function registerAccounts(
  { context, storeFor }: Audit,
  tried: CheckContext,
  count: number,
): Promise<GainedAccount[]> {
  const store = storeFor({ id: 'accounts', risk: 'caution' });
  const gained: GainedAccount[] = [];
  for (const registration of registrationsIn(labelledInputs(context.surface), 'any')) {
    let invitations: (SentInvitation | undefined)[] = await invitationsFor(tried, registration);
    while (store && gained.length < count) {
      const opened = await firstOf(invitations, async (invitation) => {
        const visit = await visitBy(context, store, registration, invitation);
        const account = visit && ((await accountOf(tried, visit)) ?? (await sessionOf(tried, visit)));
        return account && { account, invitation };
      });
      if (!opened) break;
      gained.push(opened.account);
      invitations = [opened.invitation];
    }
    if (gained.length > 0) break;
  }
  return gained;
}

async function firstOf<T, R>(values: readonly T[], find: (value: T) => Promise<R | undefined>): Promise<R | undefined> {
  for (const value of values) {
    const found = await find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Codes of invitations that pages show to everybody, where the registration asks for one. */
async function invitationsFor(
  context: CheckContext,
  registration: Registration,
): Promise<(SentInvitation | undefined)[]> {
  const field = invitationFieldOf(registration);
  if (field === undefined) return [undefined];
  const pages = likeliest(context, context.surface.pages, maxPages, 'pages that may show the code of an invitation');
  const codes = new Set<string>();
  for (const { url } of pages) for (const code of shownIn(await context.http.get(url), 'invitation')) codes.add(code);
  const tried = likeliest(context, [...codes], maxInvitations, 'codes of invitations');
  return [...tried.map((value) => ({ field, value })), undefined];
}

/** Whoever has registered under a new name, as far as the statuses of the answers say. */
async function visitBy(
  context: CheckContext,
  store: NonNullable<CheckContext['store']>,
  registration: Registration,
  invitation: SentInvitation | undefined,
): Promise<Registrant | undefined> {
  try {
    return await walkThrough(context, store, registration, { account: literal(context), invitation });
  } catch (error) {
    if (error instanceof ProofError || (error instanceof ProbeError && error.code !== 'canceled')) return undefined;
    throw error;
  }
}

/** The account as the login of the site accepts it. */
async function accountOf(tried: CheckContext, { account, names }: Registrant): Promise<GainedAccount | undefined> {
  const { name, mail, password } = account;
  const pairsBy = (first: string[]): AccountPair[] => [...first, ...names].map((each) => [each, password]);
  const [opened] = await accepted(tried, (place) =>
    offersOf(place, 'registered', asOffered(pairsBy(place.isMail ? [mail, name] : [name, mail]))),
  );
  return opened;
}

/** The session that a registration has begun, where nothing logs in the account again. */
async function sessionOf(tried: CheckContext, { cookies, page }: Registrant): Promise<GainedAccount | undefined> {
  const token = findToken(/^\s*\{/.test(page.text) ? parseJson(page.text) : undefined);
  const kinds: Login['kind'][] = [
    ...(token ? [{ case: 'bearer' as const, value: token.value }] : []),
    ...(cookies.size > 0 ? [{ case: 'cookie' as const, value: cookieHeader(cookies) }] : []),
  ];
  const login = await openedBy(tried, page, kinds);
  return login && { origin: 'registered', how: hows.registered, login };
}

function literal({ nonce }: CheckContext): RegisteredAccount {
  const values = newTrialValues(nonce);
  const { name, mail, password } = accountBy('nonce');
  return { name: fill(name, values), mail: fill(mail, values), password: fill(password, values), text: nonce() };
}
