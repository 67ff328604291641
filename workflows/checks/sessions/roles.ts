import type { Identity } from '../../model/identity.ts';
import type { CheckContext } from '../contract.ts';

/** Who administrates may read the data of others. */
const privileged = /admin|root|super|staff|manager|operator|owner|support|moderator/i;

export const isPrivileged = ({ role }: Pick<Identity, 'role'>): boolean => privileged.test(role);

/** Identities that were surveyed: those who administrate, and the others. */
export function byRole({ identities, surfaces }: Pick<CheckContext, 'identities' | 'surfaces'>) {
  const surveyed = Object.values(identities).filter(({ name }) => surfaces[name]);
  return { administrators: surveyed.filter(isPrivileged), users: surveyed.filter((each) => !isPrivileged(each)) };
}
