import type { Check } from '../../../../workflows/checks/contract.ts';
import { certificateExpired } from '../../../../workflows/checks/tls/certificate-expired.check.ts';
import { certificateExpiring } from '../../../../workflows/checks/tls/certificate-expiring.check.ts';
import { certificateNotYetValid } from '../../../../workflows/checks/tls/certificate-not-yet-valid.check.ts';
import { certificateUntrusted } from '../../../../workflows/checks/tls/certificate-untrusted.check.ts';
import { certificateWeakKey } from '../../../../workflows/checks/tls/certificate-weak-key.check.ts';
import { certificateWrongName } from '../../../../workflows/checks/tls/certificate-wrong-name.check.ts';
import { incompleteChain } from '../../../../workflows/checks/tls/incomplete-chain.check.ts';

/** All that judge what a server presents. */
export const certificateChecks = [
  certificateExpired,
  certificateExpiring,
  certificateNotYetValid,
  certificateUntrusted,
  certificateWeakKey,
  certificateWrongName,
  incompleteChain,
] as Check[];
