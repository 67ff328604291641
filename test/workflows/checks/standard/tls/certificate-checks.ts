import type { Check } from '../../../../../workflows/checks/contract.ts';
import { certificateExpired } from '../../../../../workflows/checks/standard/tls/certificate-expired.ts';
import { certificateExpiring } from '../../../../../workflows/checks/standard/tls/certificate-expiring.ts';
import { certificateNotYetValid } from '../../../../../workflows/checks/standard/tls/certificate-not-yet-valid.ts';
import { certificateUntrusted } from '../../../../../workflows/checks/standard/tls/certificate-untrusted.ts';
import { certificateWeakKey } from '../../../../../workflows/checks/standard/tls/certificate-weak-key.ts';
import { certificateWrongName } from '../../../../../workflows/checks/standard/tls/certificate-wrong-name.ts';
import { incompleteChain } from '../../../../../workflows/checks/standard/tls/incomplete-chain.ts';

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
