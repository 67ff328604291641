import { type Assertion, claim, type Experiment } from '../../model/experiment.ts';
import { isByCondition } from '../../model/gained-name.ts';
import type { Exchange } from '../../model/http.ts';
import { targetOf } from '../addresses/redirect-target.ts';
import type { CheckContext } from '../contract.ts';
import { distinctivePieces, onlyIn } from '../decisions/difference.ts';
import { likeliest } from '../inputs/at-most.ts';
import { attempt, attemptSteps, type LoginAttempt, pageAfter } from './attempt.ts';
import { isLocked } from './entrance.ts';
import { ledApart } from './led-apart.ts';
import { type Login, loginAction } from './login.ts';
import { namesShown } from './names-shown.ts';
import { opensSession } from './session-answer.ts';
import { tokensIn } from './signs.ts';

/** A name that is answered otherwise than names of nobody, although the password is wrong each time. */
export type EnumeratedName = {
  name: string;
  tries: { unknown: LoginAttempt; known: LoginAttempt; other: LoginAttempt };
  ifKnown: Assertion[];
  ifUnknown: Assertion[];
  /** The page that says so, to which all answers lead; the answer itself when not given. */
  pageUrl?: string;
};

type NameContext = Pick<CheckContext, 'http' | 'nonce' | 'visitor'>;

/** Names that most sites have some of. */
const usual = ['admin', 'test', 'user', 'root', 'info'] as const;
const maxOwn = 2;
const maxShown = 2;

/** The test identities' own names, whose accounts are known to be there; without any, two that the site shows, and five that many have. */
export async function candidateNames(
  context: Pick<CheckContext, 'identities' | 'surface' | 'http' | 'leave'>,
  { isMail }: Login,
): Promise<string[]> {
  const { identities, surface, leave } = context;
  const own = Object.values(identities).flatMap(({ name, userName }) => (isByCondition(name) ? [] : (userName ?? [])));
  if (own.length > 0) return own.slice(0, maxOwn);
  const host = surface.host.replace(/^www\./, '');
  const shown = likeliest(
    { leave },
    await namesShown(context, { isMail }),
    maxShown,
    'names of users that the site shows',
  );
  return [...new Set([...shown, ...usual.map((name) => (isMail ? `${name}@${host}` : name))])];
}

const wrong = '‹nonce2›';
/** A name of nobody that looks like one that may be somebody's. */
export const nobodyLike = (name: string, nonce: string): string =>
  name.includes('@') ? name.replace(/^[^@]*/, nonce) : nonce;

/**
 * Whether a login answers a name otherwise than names of nobody: by its text, its status or where it leads, or by what the page says to
 * which all answers lead. The name is tried once with a wrong password, and once more where that was answered otherwise.
 * @returns 'closed' when the site takes no more tries
 * @throws ProbeError
 */
export async function enumeratedName(
  context: NameContext,
  login: Login,
  name: string,
): Promise<EnumeratedName | 'closed' | undefined> {
  const [knownAction, unknownAction] = [
    loginAction(login, name, wrong),
    loginAction(login, nobodyLike(name, '‹nonce›'), wrong),
  ];
  if (!knownAction || !unknownAction) return undefined;
  const tryUnknown = () => tryAndFollow(context, login, unknownAction, 'unknown');
  const tryKnown = () => tryAndFollow(context, login, knownAction, 'known');
  const [first, second, known] = [await tryUnknown(), await tryUnknown(), await tryKnown()];
  if ([first, second, known].some(({ exchange }) => isLocked(exchange))) return 'closed';
  if (!claimsBy([known], [first, second], name) || isJoined(first.exchange, known.exchange)) return undefined;
  const [third, again] = [await tryUnknown(), await tryKnown()];
  if ([third, again].some(({ exchange }) => isLocked(exchange))) return 'closed';
  const claims = claimsBy([known, again], [first, second, third], name);
  const other = { ...second, action: loginAction(login, nobodyLike(name, '‹nonce3›'), wrong) ?? unknownAction };
  return claims && { name, tries: { unknown: first, known, other }, ...claims };
}

/** Somebody whom nobody knows is let in with any password: an account was opened, and a name that is taken is refused there. */
const isJoined = (unknown: Exchange, known: Exchange): boolean =>
  tokensIn(unknown).length > tokensIn(known).length || opensSession(unknown, known);

/** A message that is shown once is read before anybody tries again: some sites keep it in the session of all tries. */
export async function tryAndFollow(
  context: NameContext,
  login: Pick<Login, 'input'>,
  action: LoginAttempt['action'],
  prefix: string,
  send?: Parameters<typeof attempt>[4],
): Promise<LoginAttempt> {
  const tried = await attempt(context, login, action, prefix, send);
  const target = targetOf(tried.exchange);
  if (target !== undefined && new URL(target).origin === new URL(login.input.url).origin)
    await pageAfter(context, tried, target);
  return tried;
}

/** The same of the answers, or of the page to which all of them lead. */
export function claimsBy(known: readonly LoginAttempt[], unknown: readonly LoginAttempt[], name: string) {
  const direct = claimsOn(known, unknown, name);
  if (direct) return direct;
  const targets = new Set([...known, ...unknown].map(({ exchange }) => targetOf(exchange)));
  const [pageUrl] = targets;
  if (pageUrl === undefined || targets.size !== 1) return undefined;
  const after = (tries: readonly LoginAttempt[]) =>
    tries.flatMap(({ pages, values }) => {
      const exchange = pages.get(pageUrl);
      return exchange ? [{ exchange, values }] : [];
    });
  const [shown, others] = [after(known), after(unknown)];
  if (shown.length < known.length || others.length < unknown.length) return undefined;
  const claims = claimsOn(shown, others, name);
  return claims && { ...claims, pageUrl };
}

/** What distinguishes all answers to a name from all those to names of nobody; what they repeat of what was sent does not count. */
function claimsOn(
  known: readonly Pick<LoginAttempt, 'exchange' | 'values'>[],
  unknown: readonly Pick<LoginAttempt, 'exchange' | 'values'>[],
  name: string,
): Pick<EnumeratedName, 'ifKnown' | 'ifUnknown'> | undefined {
  const exchanges = (tries: readonly Pick<LoginAttempt, 'exchange'>[]) => tries.map(({ exchange }) => exchange);
  const outlines = new Set(exchanges(known).map(outlineOf));
  const others = new Set(exchanges(unknown).map(outlineOf));
  const [
    {
      exchange: { status },
    } = { exchange: { status: 0 } },
  ] = known;
  if (outlines.size !== 1 || others.size !== 1 || status >= 500) return undefined;
  const isOther = ![...outlines].some((outline) => others.has(outline));
  if (isOther && exchanges(unknown).every((exchange) => exchange.status !== status))
    return {
      ifKnown: [claim('status', 'equals', String(status))],
      ifUnknown: [claim('status', 'not-equals', String(status))],
    };
  const sent = [name, ...[...known, ...unknown].flatMap(({ values }) => Object.values(values.all()))];
  const led = ledApart(exchanges(known), exchanges(unknown), sent);
  if (led) return led;
  const [piece] = distinctivePieces(onlyIn(exchanges(known), exchanges(unknown), sent), /$^/);
  return piece === undefined
    ? undefined
    : { ifKnown: [claim('body', 'contains', piece)], ifUnknown: [claim('body', 'not-contains', piece)] };
}

const outlineOf = ({ status, header, request }: Exchange): string => {
  const target = URL.parse(header('location') ?? '', request.url);
  return `${status} ${header('location') === undefined ? '' : target?.pathname}`;
};

export function enumerationExperiment(login: Login, known: EnumeratedName): Experiment {
  const { name, tries, ifKnown, ifUnknown, pageUrl } = known;
  const page = pageUrl === undefined ? {} : { page: { url: pageUrl, note: 'The page to which the answer leads.' } };
  const step = (tried: LoginAttempt, note: string, expect: Assertion[], isShown?: true) =>
    attemptSteps(login, tried, { note, expect, ...page, ...(isShown && { isShown }) });
  return {
    steps: [
      ...step(tries.unknown, 'A name that nobody has, with a wrong password.', ifUnknown, true),
      ...step(tries.known, `The name "${name}" with a wrong password is answered otherwise.`, ifKnown, true),
      ...step(tries.other, 'Another name that nobody has is answered as the first one.', ifUnknown),
    ],
    control: step(tries.unknown, 'One more name that nobody has is not answered as that of an account.', ifKnown),
  };
}
