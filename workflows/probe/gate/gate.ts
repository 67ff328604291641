import type { FormSurface } from '../../checks/contract.ts';
import type { Knowledge } from './knowledge.ts';
import type { Decision, GateRequest, Licence, Refusals, Verdict, Visitor, Writes } from './types.ts';

export type GateSettings = {
  /** What was asked for. Standard scans send no form of which its structure does not show that it reads. */
  depth: 'standard' | 'deep';
  writes: Writes;
};

/**
 * Decides on every request that is sent to a target, below crawler, checks, chains and browser; nothing goes around it.
 * One gate serves the instruments of one activity.
 */
export type Gate = {
  /**
   * Lets a request pass, or counts it as refused.
   * @throws ProbeError `refused`
   */
  pass(request: GateRequest, licence?: Licence): void;
  /** What `pass` would decide, without counting. */
  decide(request: GateRequest, licence?: Licence): Decision;
  /** Whether rule 1 leaves a form to be observed: sent once with a neutral nonce. The settings' `writes` is part of it. */
  mayObserve(form: FormSurface): Decision;
  /** Adds what an artifact of the run or the crawler tells. */
  learn(knowledge: Partial<Knowledge>): void;
  /** What an observation showed; holds at once for whatever is sent later. A verdict is never made milder. */
  observed(key: string, verdict: Verdict): void;
  /** Values of cookies and headers that open a session, so that a request with one of them counts as its visitor's. */
  noteSession(values: readonly string[], visitor: Exclude<Visitor, 'nobody'>): void;
  /** What was refused so far, by code. */
  refusals(): Refusals[];
};
