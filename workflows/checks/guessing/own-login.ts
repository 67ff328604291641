import type { Step } from '../../model/experiment.ts';
import { isBorrowed } from '../../model/gained-name.ts';
import { LoginError } from '../../model/login-error.ts';
import { partRoute } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { type Login, loginsOf } from '../logins/login.ts';
import {
  canLogIn,
  inOwnSession,
  type LoginIdentity,
  logInStep,
  type MarkedPage,
  openedClaims,
} from '../sessions/own-sessions.ts';

/** The last test identity of the org's own, or of the audit's, that logs in with a password: of the others the rest of the audit has more need. */
export const lastOwn = ({ identities }: Pick<CheckContext, 'identities'>): LoginIdentity | undefined =>
  Object.values(identities)
    .filter(canLogIn)
    .filter((each) => each.userName !== undefined && each.role !== 'admin' && !isBorrowed(each.name))
    .at(-1);

/** The request by which an identity logs in, as the survey saw it. */
export function loginOf({ surface }: CheckContext, { loginUrl, recipe }: LoginIdentity): Login | undefined {
  const isAt = (url: string | undefined) => url !== undefined && partRoute(url) === partRoute(loginUrl);
  // Script may send elsewhere what is typed into a form: what the form alone would send is no guess.
  const isSent = ({ method, url }: Login['input']) =>
    recipe === undefined ||
    recipe.steps.some((step) => step.method === method && new URL(step.url).pathname === new URL(url).pathname);
  return loginsOf(surface).find(
    ({ nameField, input }) => nameField !== undefined && (isAt(input.url) || isAt(input.page?.url)) && isSent(input),
  );
}

/** Whether the right password opens a session. @throws anything but LoginError */
export async function letsIn(context: Pick<CheckContext, 'logIn'>, { name }: LoginIdentity): Promise<boolean> {
  try {
    await context.logIn(name);
    return true;
  } catch (error) {
    if (error instanceof LoginError) return false;
    throw error;
  }
}

/** The same as steps of an experiment. */
export const stillLetsIn = (identity: LoginIdentity, page: MarkedPage): Step[] => [
  logInStep(identity),
  {
    http: { url: page.url },
    ...inOwnSession,
    note: 'The right password still lets the user in.',
    expect: openedClaims(page),
  },
];
