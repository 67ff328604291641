/** What the target's answers say about its health. */
export type PacedAnswer = { status: number; elapsedMs: number; retryAfter?: string | undefined };

/** Spaces requests evenly; wider as the target slows down or asks for it, up to the ceiling again as it recovers. */
type Pacer = {
  /** Takes the next place. @returns milliseconds until its turn */
  next(): number;
  observe(answer: PacedAnswer): void;
  /** Something before the target refused a request: it gets fewer, though not the fewest, as the rest of the site may be open. */
  refused(reason: string): void;
  /** Why the rate was lowered, the last reason; undefined when it never was. */
  slowedDown(): string | undefined;
  requestsPerSecond(): number;
};

/** A target that asks for longer than this keeps the lowest rate afterwards instead: the run has a deadline. */
const longestPauseMs = 15_000;
/** Answers that the median is taken over; so one slow page changes nothing. */
const windowSize = 16;
const recoverAfter = 20;
/** A timer wakes late by a little; that much is made up for, and no more, so the ceiling holds in any second. */
const timerSlackMs = 20;

/** @param ceiling requests per second that are never exceeded */
export function createPacer(ceiling: number): Pacer {
  const lowest = Math.min(ceiling, Math.max(0.5, ceiling / 32));
  const window: number[] = [];
  let rate = ceiling;
  // Another activity may just have sent its last request: whoever follows it keeps the distance.
  let nextMs = performance.now() + 1000 / ceiling;
  let usualMs = Number.POSITIVE_INFINITY;
  let goodAnswers = 0;
  let reason: string | undefined;

  const slowDown = (factor: number, why: string, floor = lowest) => {
    rate = Math.max(floor, rate * factor);
    goodAnswers = 0;
    reason = why;
  };

  const observeLatency = (elapsedMs: number) => {
    window.push(elapsedMs);
    if (window.length < windowSize) return;
    const median = window.toSorted((a, b) => a - b)[windowSize / 2] ?? 0;
    window.length = 0;
    if (median > usualMs * 4 && median > usualMs + 250)
      slowDown(0.6, `answers took ${Math.round(median)} ms instead of ${Math.round(usualMs)} ms`);
    else usualMs = Math.min(usualMs, median);
  };

  return {
    next() {
      const now = performance.now();
      const mine = Math.max(nextMs, now - timerSlackMs);
      nextMs = mine + 1000 / rate;
      return Math.max(0, mine - now);
    },
    observe({ status, elapsedMs, retryAfter }) {
      if (status === 429 || status === 503) {
        const pauseMs = Math.min(longestPauseMs, retryAfterMs(retryAfter, Date.now()));
        nextMs = Math.max(nextMs, performance.now() + pauseMs);
        return slowDown(0.5, `the target answered ${status}`);
      }
      goodAnswers++;
      if (goodAnswers % recoverAfter === 0) rate = Math.min(ceiling, rate * 1.25);
      observeLatency(elapsedMs);
    },
    refused: (why) => slowDown(0.5, why, Math.min(rate, ceiling / 4)),
    slowedDown: () => reason,
    requestsPerSecond: () => rate,
  };
}

/** Source: RFC 9110 §10.2.3: seconds or a date. */
function retryAfterMs(value: string | undefined, nowMs: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
}
