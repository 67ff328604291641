import type { Check } from '../../contract.ts';
import { cspMissing } from './csp-missing.ts';
import { isolationMissing } from './isolation-missing.ts';
import { nosniffMissing } from './nosniff-missing.ts';
import { permissionsPolicyMissing } from './permissions-policy-missing.ts';
import { referrerPolicyMissing } from './referrer-policy-missing.ts';

/** Headers that a site may lack, the gravest first. Each has an experiment of its own; together they are one finding. */
export const headerParts: readonly Check[] = [
  cspMissing,
  referrerPolicyMissing,
  nosniffMissing,
  isolationMissing,
  permissionsPolicyMissing,
];
