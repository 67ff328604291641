/**
 * Where an account that the audit gained is from: those registered and what a guest is given are the audit's own, the others are
 * somebody's on the site.
 */
export type AccountOrigin = 'shown' | 'usual' | 'leaked' | 'bypass' | 'registered' | 'guest';

/** Name of the identity for a gained account: those that an org gives have no underscore. */
export const gainedName = (origin: AccountOrigin, index: number): string => `${origin}_${index + 1}`;

const isFrom = (identity: string, ...origins: readonly AccountOrigin[]): boolean =>
  origins.some((origin) => identity.startsWith(`${origin}_`));

/** Whether an identity is somebody's account on the site: what may close it, or writes to its owner, is not done to it. */
export const isBorrowed = (identity: string): boolean => isFrom(identity, 'shown', 'usual', 'leaked', 'bypass');

/** Whether it is an account that a page gives everybody to read. */
export const isShown = (identity: string): boolean => isFrom(identity, 'shown');

/** Whether the audit itself has registered an account on the site: nobody else has it, and it may be left behind. */
export const isRegistered = (identity: string): boolean => isFrom(identity, 'registered');

/** Whether a condition in the login let the audit in: what was typed there is nobody's name. */
export const isByCondition = (identity: string): boolean => isFrom(identity, 'bypass');

/** Whether it is the session of a visitor who gave no password: whoever asks has one. */
export const isGuest = (identity: string): boolean => isFrom(identity, 'guest');
