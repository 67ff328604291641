/** Without a Retry-After. */
const defaultRetryAfterMs = 5_000;

/** How often in a row a request is tried whose answer is lost on the way, and the pause before each further try. */
const lostPausesMs = [1_000, 2_000, 4_000, 8_000];

/** Codes of connections that were never made: there is nothing at that address, or something else. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/**
 * How long an answer asks to wait before the same request is sent again; undefined when it is final.
 * 429 and 503 wait as long as the answer says. So does a request while another one with the same idempotency key is processed.
 * Source: RFC 9110 §10.2.3.
 */
export function askedWaitMs(answer: Pick<Response, 'status' | 'headers'>, code: string): number | undefined {
  const isAsked = answer.status === 429 || answer.status === 503 || code === 'idempotency_key_in_flight';
  return isAsked ? (readRetryAfter(answer.headers.get('retry-after')) ?? defaultRetryAfterMs) : undefined;
}

/** Milliseconds from a Retry-After header: seconds or a date. Undefined for anything else. */
export function readRetryAfter(text: string | null, now = Date.now()): number | undefined {
  if (text === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * 1_000;
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Whether a gateway on the way lost the answer: what was asked may or may not have been done. */
export const isLost = (status: number): boolean => status === 502 || status === 504;

/** The pause before a request is sent again whose answer was lost for the `losses`th time; undefined to give up. */
export const lostPauseMs = (losses: number): number | undefined => lostPausesMs[losses - 1];

/** The code of what `fetch` failed with, for instance "ECONNREFUSED". */
export function networkCode(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    if (cause instanceof AggregateError) return networkCode(cause.errors[0]);
  }
  return '';
}

/**
 * Whether trying again may help. A connection that was refused is a wrong address as long as there was no answer from
 * there, and a restart of the service later on. A certificate that is not trusted stays so.
 */
export function mayPass(code: string, hasAnswered: boolean): boolean {
  if (neverConnected.includes(code)) return hasAnswered;
  return !/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code);
}
