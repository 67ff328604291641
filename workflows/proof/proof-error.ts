/** The experiment itself is wrong, or the run lacks what it needs. It says nothing about the target. */
export class ProofError extends Error {
  override name = 'ProofError';
}

/** A change was not sent: what it would have to be put back to is not there any more. */
export class ChangedMeanwhile extends ProofError {
  override name = 'ChangedMeanwhile';
}
