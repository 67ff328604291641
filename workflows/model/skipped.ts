import type { RefusalCode } from './gate.ts';

/**
 * Why a URL was not fetched, or not as a whole:
 * - `other-host`, `excluded`: it is not in the audit
 * - `not-a-page`, `url-too-long`, `loop`: nothing is expected there
 * - `would-act`, `ends-session`, `one-time-token`, `sensitive-fields`, …: the write gate refuses it
 * - `folded`: enough pages of its route or its folder are built alike
 * - `template-unseen`: the pages of its route or its folder that were compared are not
 * - `budget`, `out-of-time`, `session-lost`, `too-many`: a limit was reached
 * - `failed`: it gave no answer
 * - `page-cut`: only a part of it could be read
 */
export type SkipCode =
  | RefusalCode
  | 'other-host'
  | 'excluded'
  | 'not-a-page'
  | 'url-too-long'
  | 'loop'
  | 'folded'
  | 'template-unseen'
  | 'budget'
  | 'out-of-time'
  | 'session-lost'
  | 'too-many'
  | 'failed'
  | 'page-cut';

export type Skipped = { url: string; code: SkipCode; reason: string };
