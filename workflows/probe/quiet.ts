import type { Quiet } from '../model/quiet.ts';

/** Turns are taken in the order in which they are asked for: each piece of work waits for those before it that it cannot run beside. */
export function createQuiet(): Quiet {
  let measured: Promise<unknown> = Promise.resolve();
  const slow = new Set<Promise<unknown>>();
  return {
    beside(work) {
      const running = measured.then(work);
      const settled = settling(running);
      slow.add(settled);
      return running.finally(() => slow.delete(settled));
    },
    alone(work) {
      const before = [measured, ...slow];
      const running = Promise.all(before).then(work);
      measured = settling(running);
      return running;
    },
  };
}

const settling = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => {},
    () => {},
  );
