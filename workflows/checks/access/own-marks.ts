import type { CheckContext } from '../contract.ts';

/** Whether texts of the accounts may be any words for a while: on a test system other checks have stored equal ones in both. */
export const mayMark = ({ writes }: Pick<CheckContext, 'writes'>): boolean => writes === 'create';
