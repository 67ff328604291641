import type { Entering, Entrance } from './entrances.ts';

/** A visit with a word in each of some entrances. */
export type TracedVisit = Entering & {
  words: Map<string, Entrance>;
  windowName?: string;
  presses?: true;
  /** Only when nothing was seen before. */
  isLastResort?: boolean;
};
