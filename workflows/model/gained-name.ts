/**
 * Where an account that the audit gained is from: those registered and what a guest is given are the audit's own, the others are
 * somebody's on the site.
 */
export type AccountOrigin = 'shown' | 'usual' | 'leaked' | 'bypass' | 'registered' | 'guest';

/** Name of the identity for a gained account. */
export const gainedName = (origin: AccountOrigin, index: number): string => `${origin}-${index + 1}`;

/** Whether an identity is somebody's account on the site: what may close it, or writes to its owner, is not done to it. */
export const isBorrowed = (identity: string): boolean =>
  /^(?:shown|usual|leaked|bypass)-\d+(?:-of-the-audit)?$/.test(identity);

/** Whether it is an account that a page gives everybody to read. */
export const isShown = (identity: string): boolean => /^shown-\d+(?:-of-the-audit)?$/.test(identity);

/** Whether the audit itself has registered an account on the site: nobody else has it, and it may be left behind. */
export const isRegistered = (identity: string): boolean => /^registered-\d+(?:-of-the-audit)?$/.test(identity);

/** Whether a condition in the login let the audit in: what was typed there is nobody's name. */
export const isByCondition = (identity: string): boolean => /^bypass-\d+(?:-of-the-audit)?$/.test(identity);

/** Whether it is the session of a visitor who gave no password: whoever asks has one. */
export const isGuest = (identity: string): boolean => /^guest-\d+(?:-of-the-audit)?$/.test(identity);
