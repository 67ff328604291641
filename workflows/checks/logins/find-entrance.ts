import type { Candidate } from '../../model/candidate.ts';
import type { HttpAction } from '../../model/experiment.ts';
import { budgetAdvice, type OmissionWord } from '../../model/omission.ts';
import { isFinal, ProbeError } from '../../model/probe-error.ts';
import { type CheckContext, type Detected, notApplicable } from '../contract.ts';
import { openInput } from '../inputs/open-input.ts';
import { omittedBy } from '../omitted.ts';
import { entranceBy, type LoginChange, type LoginEntrance, refusals } from './entrance.ts';
import { anyEntrance, type Login, loginAction, loginsOf, nobody } from './login.ts';

/** A server that lets whoever was refused wait does so for each try: one after the other they would take a quarter of an hour. */
const slowMs = 1_500;
const besideEachOther = 4;

export type EnteredLogin = { login: Login; entrance: LoginEntrance };

/**
 * Tries the changes at each login until one lets somebody in. It ends where the site lets nobody try any more. A login that may not be
 * sent, or gives no answer, keeps the others from nothing.
 * @param changesFor the likeliest first
 * @throws ProbeError where none of them could be tried
 */
export async function findEntrances(
  context: CheckContext,
  changesFor: (login: Login) => LoginChange[] | Promise<LoginChange[]>,
): Promise<Detected<EnteredLogin>> {
  const logins = loginsOf(context.surface, anyEntrance);
  if (logins.length === 0) return notApplicable('The site has no login that can be tried with a name that nobody has.');
  const candidates: Candidate<EnteredLogin>[] = [];
  const failures: { url: string; error: ProbeError }[] = [];
  for (const found of logins) {
    try {
      const login = { ...found, input: await openInput(context, found.input) };
      const entrance = await entranceAt(context, login, await changesFor(login));
      if (entrance) candidates.push(candidateOf({ login, entrance }));
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled' || isFinal(error)) throw error;
      failures.push({ url: found.input.url, error });
    }
  }
  const [first] = failures;
  if (first && failures.length === logins.length) throw first.error;
  for (const { url, error } of failures)
    context.leave(omittedBy(error, 1, `the login at ${url} was not tried: ${error.message}`));
  return candidates;
}

function candidateOf({ login, entrance }: EnteredLogin): Candidate<EnteredLogin> {
  const { url, method, in: place, route } = login.input;
  const { nameField, passwordField } = login;
  const parameter = entrance.change.isOfPassword ? passwordField : (nameField ?? passwordField);
  return {
    location: { url, method, parameter, parameterIn: place },
    route,
    detail: `Somebody was let in by ${entrance.change.what}.`,
    data: { login, entrance },
  };
}

async function entranceAt(
  context: CheckContext,
  login: Login,
  changes: LoginChange[],
): Promise<LoginEntrance | undefined> {
  if (changes.length === 0) return undefined;
  const { name, password } = nobody(login);
  const action = loginAction(login, name, password);
  const refused = action && (await refusalsOf(context, login, action));
  const left = (code: OmissionWord, count: number, why: string) =>
    context.leave({ code, count, text: `${count} changes of the login at ${login.input.url} were not tried: ${why}` });
  if (refused === 'locked') left('blocked', changes.length, 'the site takes no logins of a program, or none for now');
  if (refused === undefined || refused === 'locked') return undefined;
  const width = isSlow(refused) ? besideEachOther : 1;
  for (let index = 0; index < changes.length; index += width) {
    if (context.allowance() <= 0) {
      left('budget', changes.length - index, `the check's part of the budget was used up. ${budgetAdvice}`);
      return undefined;
    }
    const together = changes.slice(index, index + width);
    const ends = await Promise.all(together.map((change) => entranceBy(context, login, refused, change)));
    const [entrance] = ends.flatMap((end) => (end === 'locked' || end === undefined ? [] : end));
    if (entrance) return entrance;
    if (ends.includes('locked')) {
      left('blocked', changes.length - index, 'the site takes no further logins for now');
      return undefined;
    }
  }
  return undefined;
}

type SeenRefusals = Awaited<ReturnType<typeof refusals>>;

/** By the surface, which all checks of an activity share. */
const known = new WeakMap<object, Map<string, SeenRefusals>>();

/** How somebody whom nobody knows is refused. Where that takes long, it is seen once for all checks. */
async function refusalsOf(context: CheckContext, login: Login, action: HttpAction): Promise<SeenRefusals> {
  const seen = known.get(context.surface) ?? new Map<string, SeenRefusals>();
  known.set(context.surface, seen);
  const key = JSON.stringify([action.method, action.url, login.nameField, login.passwordField]);
  const refused = seen.get(key) ?? (await refusals(context, login, action));
  if (isSlow(refused)) seen.set(key, refused);
  return refused;
}

const isSlow = (refused: SeenRefusals): boolean =>
  Array.isArray(refused) && refused.some(({ exchange }) => exchange.elapsedMs >= slowMs);
