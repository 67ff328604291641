import type { Exchange } from '../../model/http.ts';

/** One answer that takes long may do so by chance. */
const enough = 2;

/** Whether a login lets whoever it refuses wait: so many guesses would take more than a minute, which is a limit. */
export const letsWait = (answers: readonly Pick<Exchange, 'elapsedMs'>[], guesses: number): boolean =>
  answers.filter(({ elapsedMs }) => elapsedMs > 60_000 / guesses).length >= enough;
