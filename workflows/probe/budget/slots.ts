/** The right to hold one connection to the target. */
export type Slot = {
  /** The connection is kept only in case it is needed again: `evict` closes it when another one is wanted. */
  idle(evict: () => void): void;
  /** The connection is in use again. */
  busy(): void;
  /** The connection is closed. */
  release(): void;
};

export type ConnectionSlots = {
  /** Waits until fewer than the maximum of connections are open. @throws the signal's reason */
  take(signal: AbortSignal): Promise<Slot>;
};

/** The target notices the end of a connection a little later than we do; until then it counts there. */
const lingerMs = 10;

/** Counts connections of every kind, so that all instruments together hold no more than `maxConnections`. */
export function connectionSlots(maxConnections: number): ConnectionSlots {
  const idle = new Map<Slot, () => void>();
  const waiting: (() => void)[] = [];
  let open = 0;

  const makeSlot = (): Slot => {
    let held = true;
    const slot: Slot = {
      idle(evict) {
        if (!held) return;
        idle.set(slot, evict);
        if (waiting.length > 0) evictOldest();
      },
      busy: () => void idle.delete(slot),
      release() {
        if (!held) return;
        held = false;
        idle.delete(slot);
        setTimeout(() => {
          open--;
          waiting.shift()?.();
        }, lingerMs);
      },
    };
    return slot;
  };

  const evictOldest = () => {
    const [oldest] = idle;
    if (!oldest) return;
    idle.delete(oldest[0]);
    oldest[1]();
  };

  return {
    async take(signal) {
      signal.throwIfAborted();
      while (open >= maxConnections) {
        evictOldest();
        await turn(waiting, signal);
      }
      open++;
      return makeSlot();
    },
  };
}

/** Waits in line; leaves it when the signal is aborted. */
function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      const place = waiting.indexOf(next);
      if (place >= 0) waiting.splice(place, 1);
      reject(signal.reason);
    };
    waiting.push(next);
    signal.addEventListener('abort', leave, { once: true });
  });
}
