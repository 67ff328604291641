import { create } from '@bufbuild/protobuf';
import { type Login, LoginSchema } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import {
  accountBy,
  type RegisteredAccount,
  type Registration,
  registrationRequest,
  registrationsIn,
} from '../checks/access/registrations.ts';
import type { CheckContext } from '../checks/contract.ts';
import { openInput, requestOfInput } from '../checks/inputs/open-input.ts';
import { accountsShownBy } from '../checks/logins/accounts-shown.ts';
import { type AccountPair, accountChange, usualAccounts } from '../checks/logins/default-accounts.ts';
import type { LoginChange } from '../checks/logins/entrance.ts';
import { findEntrances } from '../checks/logins/find-entrance.ts';
import type { Login as LoginPlace } from '../checks/logins/login.ts';
import { isPrivileged } from '../checks/sessions/roles.ts';
import type { AccountOrigin } from '../model/gained-name.ts';
import { ProbeError } from '../model/probe-error.ts';
import { ProofError } from '../proof/proof-error.ts';
import { fill, newTrialValues } from '../proof/template.ts';
import type { Audit } from './audit-context.ts';

/** An account that the login of the site accepts, and where it is from. */
export type GainedAccount = {
  origin: AccountOrigin;
  how: string;
  login: Login;
};

type Offer = { pair: AccountPair; origin: GainedAccount['origin'] };

/** Accounts that are for everybody to have: at most one of each login's that is shown, and one that everybody tries first. */
export async function findAccounts(context: CheckContext): Promise<GainedAccount[]> {
  const found: GainedAccount[] = [];
  for (const origin of ['shown', 'usual'] as const)
    found.push(...(await accepted(context, async (place) => offersOf(context, place, origin))));
  return [...new Map(found.toReversed().map((each) => [JSON.stringify(each.login.kind), each])).values()].toReversed();
}

async function offersOf(context: CheckContext, place: LoginPlace, origin: 'shown' | 'usual'): Promise<Offer[]> {
  // What a secret alone opens is nobody's account.
  if (place.nameField === undefined) return [];
  const pairs =
    origin === 'shown'
      ? (await accountsShownBy(context, place)).map(({ pair }) => pair)
      : (await usualAccounts(context, place)).pairs;
  return pairs.map((pair) => ({ pair, origin }));
}

/** Tries offers at each login. What lets somebody in is told from what does not as by the checks. */
async function accepted(
  context: CheckContext,
  offers: (place: LoginPlace) => Promise<readonly Offer[]>,
): Promise<GainedAccount[]> {
  const offerOf = new Map<LoginChange, Offer>();
  const entered = await findEntrances(context, async (place) =>
    (await offers(place)).flatMap((offer) => {
      const parts = accountChange(place, offer.pair);
      if (!parts) return [];
      const change = { ...parts, what: `the account ${JSON.stringify(offer.pair[0])}` };
      offerOf.set(change, offer);
      return [change];
    }),
  );
  if (!Array.isArray(entered)) return [];
  return entered.flatMap(({ data }): GainedAccount[] => {
    const offer = data && offerOf.get(data.entrance.change);
    return data && offer
      ? [{ origin: offer.origin, how: hows[offer.origin], login: loginAt(data.login, offer.pair) }]
      : [];
  });
}

const hows: Record<GainedAccount['origin'], string> = {
  shown: 'a page of the site has its name and password',
  usual: 'it is the first account that products come with',
  registered: 'the audit has opened it',
};

/** How a test identity of the org's would say it. */
function loginAt({ input, nameField, passwordField, format }: LoginPlace, [username, password]: AccountPair): Login {
  const fields = { username, password, usernameField: nameField ?? '', passwordField };
  const role = isPrivileged({ role: username }) ? 'admin' : 'user';
  return format === 'json'
    ? create(LoginSchema, { role, kind: { case: 'json', value: { url: input.url, ...fields } } })
    : create(LoginSchema, { role, kind: { case: 'form', value: { url: input.page?.url ?? input.url, ...fields } } });
}

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
  const registrations = registrationsIn([...context.surface.inputs, ...(context.surface.heldInputs ?? [])]);
  const gained: GainedAccount[] = [];
  for (const registration of registrations) {
    while (store && gained.length < count) {
      const account = literal(context);
      if (!(await isRegistered(context, store, registration, account))) break;
      const pairs: AccountPair[] = [
        [account.name, account.password],
        [account.mail, account.password],
      ];
      const offers = async ({ isMail }: LoginPlace) =>
        (isMail ? pairs.toReversed() : pairs).map((pair) => ({ pair, origin: 'registered' as const }));
      const [opened] = await accepted(tried, offers);
      if (!opened) break;
      gained.push(opened);
    }
    if (gained.length > 0) break;
  }
  return gained;
}

function literal({ nonce }: CheckContext): RegisteredAccount {
  const values = newTrialValues(nonce);
  const { name, mail, password } = accountBy('nonce');
  return { name: fill(name, values), mail: fill(mail, values), password: fill(password, values) };
}

/** Whether the site took the registration, as far as its status says. */
async function isRegistered(
  context: CheckContext,
  store: NonNullable<ReturnType<Audit['storeFor']>>,
  registration: Registration,
  account: RegisteredAccount,
): Promise<boolean> {
  try {
    const input = await openInput(context, registration);
    const action = {
      ...registrationRequest(input, account),
      lasting: {
        description: 'An account was registered, to look at the site as one of its users.',
        place: registration.page?.url ?? registration.url,
        registers: true as const,
      },
    };
    const request = await requestOfInput(context, input, action, newTrialValues(context.nonce));
    return await store('', request, async ({ status }) => status < 400);
  } catch (error) {
    if (error instanceof ProofError || (error instanceof ProbeError && error.code !== 'canceled')) return false;
    throw error;
  }
}
