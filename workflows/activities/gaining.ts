import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { CheckContext } from '../checks/contract.ts';
import { accountsShownBy } from '../checks/logins/accounts-shown.ts';
import { basicEntrances } from '../checks/logins/basic-entrance.ts';
import { type AccountPair, accountChange, accountsByWords, usualAccounts } from '../checks/logins/default-accounts.ts';
import type { LoginChange } from '../checks/logins/entrance.ts';
import { findEntrances } from '../checks/logins/find-entrance.ts';
import { leakedAccounts } from '../checks/logins/leaked-accounts.ts';
import type { Login as LoginPlace } from '../checks/logins/login.ts';
import { omittedBy } from '../checks/omitted.ts';
import type { Fact } from '../model/fact.ts';
import type { AccountOrigin } from '../model/gained-name.ts';
import { isFinal, ProbeError } from '../model/probe-error.ts';
import { basicLoginAt, bypasses, type LoginOffer, loginAt } from './login-offers.ts';

/** An account that the login of the site accepts, and where it is from. */
export type GainedAccount = {
  origin: AccountOrigin;
  how: string;
  login: Login;
};

type OffersFor = (place: LoginPlace) => LoginOffer[] | Promise<LoginOffer[]>;

/** @param leaks facts about files that the site gives away; undefined where what an attack gains is not to be used */
type GainSources = { leaks: readonly Fact[] | undefined };

/** What one of two users has can be asked for by the other. */
const maxShown = 2;

/**
 * Accounts that are for everybody to have: at most two that are shown, and one that everybody tries first. On a test
 * system also one whose password a file gives away, and whoever a condition lets in where nobody else was.
 */
export async function findAccounts(
  context: CheckContext,
  { leaks }: GainSources = { leaks: undefined },
): Promise<GainedAccount[]> {
  const found: GainedAccount[] = [];
  const leaked = leaks && leaks.length > 0 ? await leakedAccounts(context, leaks) : [];
  const isKnown = ({ pair: [name] }: { pair: AccountPair }) =>
    found.some(({ login: { kind } }) => (kind.case === 'form' || kind.case === 'json') && kind.value.username === name);
  while (found.length < maxShown) {
    const further = await triedAt(context, async (place) =>
      offersOf(
        place,
        'shown',
        (await accountsShownBy(context, place)).filter((each) => !isKnown(each)),
      ),
    );
    if (further.length === 0) break;
    found.push(...further);
  }
  const sources: OffersFor[] = [
    (place) => offersOf(place, 'leaked', leaked),
    async (place) => offersOf(place, 'usual', asOffered((await usualAccounts(context, place)).pairs)),
    ...(leaks ? [(place: LoginPlace) => (isOpened(found, place) ? [] : bypasses(place))] : []),
  ];
  for (const source of sources) found.push(...(await triedAt(context, source)));
  found.push(...(await basicAccounts(context)));
  return [...new Map(found.toReversed().map((each) => [JSON.stringify(each.login.kind), each])).values()].toReversed();
}

/** First accounts of what HTTP Basic guards. */
async function basicAccounts(context: CheckContext): Promise<GainedAccount[]> {
  const entrances = await basicEntrances(context, accountsByWords);
  return entrances.flatMap(({ data }) =>
    data ? [{ origin: 'usual', how: hows.usual, login: basicLoginAt(data.url, data.pair) }] : [],
  );
}

type OfferedAccount = { pair: AccountPair; isSetting?: boolean };

export const asOffered = (pairs: readonly AccountPair[]): OfferedAccount[] => pairs.map((pair) => ({ pair }));

export function offersOf(place: LoginPlace, origin: AccountOrigin, accounts: readonly OfferedAccount[]): LoginOffer[] {
  // What a secret alone opens is nobody's account.
  if (place.nameField === undefined) return [];
  return accounts.flatMap(({ pair, isSetting }) => {
    const parts = accountChange(place, pair);
    if (!parts) return [];
    const change = { ...parts, what: `the account ${JSON.stringify(pair[0])}` };
    return [
      { origin, change, loginOf: ({ login }) => ({ ...loginAt(login, pair), ...(isSetting && { role: 'admin' }) }) },
    ];
  });
}

const isOpened = (found: readonly GainedAccount[], { input }: LoginPlace): boolean =>
  found.some(({ login: { kind } }) =>
    kind.case === 'form' || kind.case === 'json' ? [input.url, input.page?.url].includes(kind.value.url) : false,
  );

/** Offers that a login does not answer keep others from nothing: accounts that were found before, and those that the audit opens. */
async function triedAt(context: CheckContext, offersFor: OffersFor): Promise<GainedAccount[]> {
  try {
    return await accepted(context, offersFor);
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    const { code, message } = error;
    if (code === 'canceled' || isFinal(error)) throw error;
    context.leave(omittedBy(error, 1, `accounts were not tried at the login: ${message}`));
    return [];
  }
}

/** Tries offers at each login. Answers that let somebody in are distinguished from others as in the checks. */
export async function accepted(context: CheckContext, offersFor: OffersFor): Promise<GainedAccount[]> {
  const offerOf = new Map<LoginChange, LoginOffer>();
  const entered = await findEntrances(context, async (place) => {
    const offers = await offersFor(place);
    for (const offer of offers) offerOf.set(offer.change, offer);
    return offers.map(({ change }) => change);
  });
  if (!Array.isArray(entered)) return [];
  return entered.flatMap(({ data }) => {
    const offer = data && offerOf.get(data.entrance.change);
    const login = data && offer?.loginOf(data);
    return offer && login ? [{ origin: offer.origin, how: hows[offer.origin], login }] : [];
  });
}

export const hows: Record<GainedAccount['origin'], string> = {
  shown: 'a page of the site has its name and password',
  usual: 'it is the first account that products come with',
  leaked: 'a file that everybody can read has its password',
  bypass: 'a condition in the login let in whoever sent it',
  registered: 'the audit has opened it',
  guest: 'the site gives such a session to whoever asks for one',
};
