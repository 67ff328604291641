import { isPrivileged } from '../checks/sessions/roles.ts';
import { recallLogin } from '../login/proven-login.ts';
import { isGuest } from '../model/gained-name.ts';
import type { Identity } from '../model/identity.ts';
import type { Surface } from '../model/surface.ts';
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
