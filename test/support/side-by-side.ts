import type { Callback, Test } from 'uvu';
import { inParallel } from '../../workflows/checks/inputs/parallel.ts';

/**
 * Takes tests of a suite that mostly wait and share nothing that one could change under another: `atOnce` of them run
 * beside each other, and each is judged by itself. Hooks around each test are not for them.
 * @returns what registers one, as the suite itself does
 */
export function sideBySide<T>(suite: Test<T>, atOnce: number): (name: string, work: Callback<T>) => void {
  const waiting: { work: Callback<T>; ended: PromiseWithResolvers<void> }[] = [];
  let isStarted = false;
  const start = (context: Parameters<Callback<T>>[0]) => {
    if (isStarted) return;
    isStarted = true;
    inParallel(waiting, atOnce, async ({ work, ended }) => {
      try {
        ended.resolve(await work(context));
      } catch (error) {
        ended.reject(error);
      }
    });
  };
  return (name, work) => {
    const ended = Promise.withResolvers<void>();
    // Its test may not have asked yet when it fails.
    ended.promise.catch(() => {});
    waiting.push({ work, ended });
    suite(name, (context) => {
      start(context);
      return ended.promise;
    });
  };
}
