import { ProbeError } from '../../model/probe-error.ts';
import { ProofError } from '../../proof/proof-error.ts';

/** For what an account stores: what the gate or the scope does not allow is left out, and what went wrong is not hidden. @throws error */
export function unlessUnsent(error: unknown): undefined {
  if (error instanceof ProofError || (error instanceof ProbeError && error.code !== 'canceled')) return undefined;
  throw error;
}
