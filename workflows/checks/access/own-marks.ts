import { isRegistered } from '../../model/gained-name.ts';
import type { Identity } from '../../model/identity.ts';
import type { CheckContext } from '../contract.ts';

/** Whether texts of both accounts may be any words for a while: the audit has opened them, and nobody else has them. */
export const mayMark = ({ writes }: Pick<CheckContext, 'writes'>, ...accounts: readonly Identity[]): boolean =>
  writes === 'create' && accounts.every(({ name }) => isRegistered(name));
