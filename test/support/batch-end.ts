/** What test files that run one after the other in this process have kept for those after them. */
let endings: (() => Promise<void>)[] | undefined;

/** From now on what is dear to start is kept up to the end of the batch. @returns what ends all of it, the last first */
export function beginBatch(): () => Promise<void> {
  const own: typeof endings = [];
  endings = own;
  return async () => {
    endings = undefined;
    for (const end of own.reverse()) await end();
  };
}

/** @returns false when no batch runs, and nothing is to be kept */
export function atBatchEnd(end: () => Promise<void>): boolean {
  endings?.push(end);
  return endings !== undefined;
}
