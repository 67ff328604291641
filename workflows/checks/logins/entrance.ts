import { refusalIn } from '../../login/refusal.ts';
import { type Assertion, claim, type HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { parsePage } from '../../survey/page.ts';
import type { CheckContext } from '../contract.ts';
import { distinctivePieces, onlyIn } from '../decisions/difference.ts';
import { attempt, type LoginAttempt, pageAfter } from './attempt.ts';
import type { Credential, Login } from './login.ts';
import { pagesBehind } from './pages-behind.ts';
import { asksFurther, complains, opensSession, refuses, sessionCookies } from './session-answer.ts';
import { asksForPassword, grantsIn, offersLogout, saysEntered, sessionWords, tokensIn } from './signs.ts';

/** One change of the request to a login, and a twin of it without its effect. */
export type LoginChange = {
  /** What is changed, as part of a sentence: "a condition that always holds in the user name". */
  what: string;
  changed: HttpAction;
  twin: HttpAction;
  /** The name of the change with a password that nobody has, which must not be enough. */
  wrong?: HttpAction;
  /**
   * The twin is made of the same words, so that the cause of the difference between the two answers was evaluated. `unless-complaint`:
   * it was where the
   * answer does not complain of what it was sent.
   */
  isEvaluated: boolean | 'unless-complaint';
  /** What lets in stands in the password; in the name where not given. */
  isOfPassword?: true;
  /** What the change sends as name and password: templates. */
  sent?: { name: Credential; password: Credential };
};

/** A change that lets somebody in, and what shows it. */
export type LoginEntrance = {
  change: LoginChange;
  tries: { refused: LoginAttempt; changed: LoginAttempt; twin: LoginAttempt; wrong?: LoginAttempt };
  /** Page that shows it; the answer itself when not given. */
  pageUrl?: string;
  shown: Assertion[];
  hidden: Assertion[];
};

type EntranceContext = Pick<CheckContext, 'http' | 'nonce' | 'visitor' | 'surface'>;

/** Two logins with a name and a password that nobody has. Undefined when they are not refused, 'locked' when the site takes no more. */
export async function refusals(
  context: EntranceContext,
  login: Login,
  action: HttpAction,
): Promise<[LoginAttempt, LoginAttempt] | 'locked' | undefined> {
  const first = await attempt(context, login, action, 'refused');
  const second = await attempt(context, login, action, 'refused');
  const answers = [first.exchange, second.exchange];
  if (answers.some((answer) => tokensIn(answer).length > 0)) return undefined;
  if (answers.some(offersLogout) && !(await offersEverybodyLogout(context, login))) return undefined;
  if (isLocked(first.exchange) || isLocked(second.exchange)) return 'locked';
  return first.exchange.status === second.exchange.status ? [first, second] : undefined;
}

/** A menu that is the same for all visitors. */
async function offersEverybodyLogout({ http }: EntranceContext, { input }: Login): Promise<boolean> {
  return offersLogout(await http.get(input.page?.url ?? input.url));
}

/** The site lets nobody try any more, at least for now. */
export function isLocked({ status, text, request }: Exchange): boolean {
  const refusal = refusalIn({ url: request.url, status, text }, { password: true, code: false });
  return refusal !== undefined && ['locked', 'rate_limited', 'captcha'].includes(refusal.failure);
}

/**
 * Whether a change lets somebody in who is refused otherwise. Most changes cost one request; what looks like an entrance is tried
 * again with other values, and beside its twin.
 * @throws ProbeError
 */
export async function entranceBy(
  context: EntranceContext,
  login: Login,
  refused: readonly [LoginAttempt, LoginAttempt],
  change: LoginChange,
): Promise<LoginEntrance | 'locked' | undefined> {
  const first = await attempt(context, login, change.changed, 'entered');
  if (isLocked(first.exchange) && !offersLogout(first.exchange)) return 'locked';
  for (const pageUrl of [undefined, ...(await pagesBehind(context, first, refused[0]))]) {
    const look = (tried: LoginAttempt) => (pageUrl === undefined ? tried.exchange : pageAfter(context, tried, pageUrl));
    const [before, shown] = [await look(refused[0]), await look(first)];
    if (
      !before ||
      !shown ||
      !mayBeEntered(login, shown, before, { isEvaluated: change.isEvaluated, isBehind: pageUrl !== undefined })
    )
      continue;
    const again = await attempt(context, login, change.changed, 'entered');
    const twin = await attempt(context, login, change.twin, 'twin');
    // A server that broke on the twin refused nobody.
    if (pageUrl !== undefined && twin.exchange.status >= 500) return undefined;
    const wrong = change.wrong && (await attempt(context, login, change.wrong, 'wrong'));
    const [shownAgain, beforeAgain, without] = [await look(again), await look(refused[1]), await look(twin)];
    const named = wrong ? await look(wrong) : without;
    if (!shownAgain || !beforeAgain || !without || !named) return undefined;
    const claims = claimsOn([shown, shownAgain], [before, beforeAgain, without, named], [first, again]);
    if (!claims) return undefined;
    const tries = { refused: refused[0], changed: first, twin, ...(wrong ? { wrong } : {}) };
    return { change, tries, ...claims, ...(pageUrl === undefined ? {} : { pageUrl }) };
  }
  return undefined;
}

/** Whether an answer may be one for somebody who was let in, beside one for somebody who was not. */
function mayBeEntered(
  login: Login,
  shown: Exchange,
  refused: Exchange,
  { isEvaluated, isBehind }: Pick<LoginChange, 'isEvaluated'> & { isBehind: boolean },
): boolean {
  if (shown.status < 200 || shown.status >= 300) return false;
  if (tokensIn(shown).length > tokensIn(refused).length) return true;
  if (offersLogout(shown) && !offersLogout(refused)) return true;
  if (isLocked(shown)) return false;
  // What stands beside a member that says yes shows who was let in.
  const refusedGrants = grantsIn(refused);
  if (grantsIn(shown).some((pointer) => !refusedGrants.includes(pointer))) return true;
  if (onlyIn([shown], [refused]).some(saysEntered)) return true;
  if (!isBehind && opensSession(shown, refused)) return true;
  const isOpened = asksForPassword(refused)
    ? !asksForPassword(shown)
    : (refused.status >= 300 && !asksForPassword(shown)) ||
      (isBehind && linksToLogin(login, refused) && !linksToLogin(login, shown));
  if (isEvaluated === 'unless-complaint' && !isBehind && (complains(shown) || asksFurther(shown))) return false;
  return isOpened && (isEvaluated !== false || isBehind) && !isRefusal(shown);
}

/** What everybody is shown who has not logged in, and nobody else on most sites. */
function linksToLogin({ input }: Login, page: Exchange): boolean {
  const address = withoutQuery(input.page?.url ?? input.url);
  return isHtml(page) && parsePage(page.text, page.request.url).links.some(({ url }) => withoutQuery(url) === address);
}

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

const isRefusal = ({ status, text, request }: Exchange): boolean =>
  refusalIn({ url: request.url, status, text }, { password: true, code: false }) !== undefined;

/** What every answer of the one kind shows, and none of the other. Undefined when nothing distinguishes them. */
function claimsOn(
  shown: readonly [Exchange, Exchange],
  others: readonly Exchange[],
  tries: readonly LoginAttempt[],
): Pick<LoginEntrance, 'shown' | 'hidden'> | undefined {
  const [{ status }, again] = shown;
  if (again.status !== status) return undefined;
  const isStatus = others.every((other) => other.status !== status);
  const token = tokensIn(shown[0]).find(
    (pointer) => tokensIn(again).includes(pointer) && others.every((other) => !tokensIn(other).includes(pointer)),
  );
  const sent = tries.flatMap(({ values }) => Object.values(values.all()));
  const pieces = token === undefined ? distinctivePieces(onlyIn(shown, others, sent), sessionWords) : [];
  const cookie = sessionCookies(shown[0], others).find((name) => sessionCookies(again, others).includes(name));
  const areRefused = others.every(refuses);
  const subject =
    token !== undefined
      ? (`body:json:${token}` as const)
      : pieces.length === 0 && areRefused && cookie !== undefined
        ? (`cookie:${cookie}` as const)
        : undefined;
  if (subject === undefined && pieces.length === 0) return undefined;
  const decisive =
    subject === undefined
      ? pieces.map(
          (piece) => [claim('body:masked', 'contains', piece), claim('body:masked', 'not-contains', piece)] as const,
        )
      : [[claim(subject, 'present'), claim(subject, 'absent')] as const];
  return {
    shown: [claim('status', 'equals', String(status)), ...decisive.map(([present]) => present)],
    hidden: isStatus ? [claim('status', 'not-equals', String(status))] : decisive.map(([, absent]) => absent),
  };
}
