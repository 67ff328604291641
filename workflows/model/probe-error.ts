/**
 * Why a probe got no answer:
 * - `forbidden_address`, `out_of_scope`: refused by the guard; nothing was sent
 * - `excluded`: a path that the org excluded; nothing was sent
 * - `refused`: refused by the write gate, since it could change something; nothing was sent
 * - `budget_exhausted`, `out_of_time`: the run's requests, or its time, are used up
 * - `ends_session`: it was seen to end the session of whoever opens it; nothing was sent
 * - `session_lost`: the session that is needed ended and cannot be had again
 * - `dns_failed`, `unreachable`, `timeout`, `tls_failed`, `protocol_error`, `too_large`: the target's doing
 * - `blocked`: a firewall or a limit on requests answered instead of the target
 * - `canceled`: the run was canceled
 * - `unavailable`: there is no browser here
 * - `turned_off`: the operator does not want the instrument used
 * - `browser_failed`: the audit's own browser ended, or a page's process in it; nothing is known of the target by that
 */
export type ProbeErrorCode =
  | 'forbidden_address'
  | 'out_of_scope'
  | 'excluded'
  | 'refused'
  | 'budget_exhausted'
  | 'out_of_time'
  | 'session_lost'
  | 'ends_session'
  | 'dns_failed'
  | 'unreachable'
  | 'timeout'
  | 'tls_failed'
  | 'protocol_error'
  | 'too_large'
  | 'blocked'
  | 'canceled'
  | 'unavailable'
  | 'turned_off'
  | 'browser_failed';

export class ProbeError extends Error {
  override name = 'ProbeError';
  readonly code: ProbeErrorCode;
  constructor(code: ProbeErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Nothing more can be sent in this part of the scan. */
export const isFinal = (error: unknown): error is ProbeError =>
  error instanceof ProbeError && final.includes(error.code);

const final: readonly ProbeErrorCode[] = ['budget_exhausted', 'out_of_time', 'session_lost'];
