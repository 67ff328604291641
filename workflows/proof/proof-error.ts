/** The experiment itself is wrong, or the run lacks what it needs. It says nothing about the target. */
export class ProofError extends Error {
  override name = 'ProofError';
}
