import { isPrivileged } from '../checks/sessions/roles.ts';
import { recallLogin } from '../login/proven-login.ts';
import { isGuest } from '../model/gained-name.ts';
import type { Identity } from '../model/identity.ts';
import type { ExploredPage, Surface } from '../model/surface.ts';
import type { ActivityTools } from './activity-tools.ts';
import { findSurface } from './surface.ts';

/** Other users of the same role, none of whom administrates: the site is the same for them but for what is their own. */
export async function namesOfAlike(
  { run, context }: Pick<ActivityTools, 'run' | 'context'>,
  identity: Identity,
): Promise<string[]> {
  if (isPrivileged(identity) || isGuest(identity.name)) return [];
  const names = context.logins.map(({ name }) => name).filter((name) => name !== identity.name && !isGuest(name));
  const logins = await Promise.all(names.map((name) => recallLogin(run, name)));
  return logins.flatMap((login) => (login && (login.role || 'user') === identity.role ? [login.name] : []));
}

/** What those of them were shown whose survey has ended. */
export async function surfacesOfAlike(
  tools: Pick<ActivityTools, 'run' | 'context'>,
  identity: Identity,
): Promise<Surface[]> {
  const names = await namesOfAlike(tools, identity);
  const surfaces = await Promise.all(names.map((name) => findSurface(tools.run, name)));
  return surfaces.flatMap((surface) => surface ?? []);
}

/**
 * Pages that others with a login have used in the browser, whatever their role: the script of a page that is built alike does the same.
 * What guests have used is their way through something that they began.
 */
export async function exploredByOthers(
  { run, context }: Pick<ActivityTools, 'run' | 'context'>,
  { name: own }: Pick<Identity, 'name'>,
): Promise<ExploredPage[]> {
  const names = context.logins.map(({ name }) => name).filter((name) => name !== own && !isGuest(name));
  const surfaces = await Promise.all(names.map((name) => findSurface(run, name)));
  return surfaces.flatMap((surface) => surface?.explored ?? []);
}
