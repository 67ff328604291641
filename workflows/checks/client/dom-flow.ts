import type { SinkCall } from '../../model/browser.ts';
import type { Entrance } from './entrances.ts';

/** A value of the address that script gave to a sink; `word` stands for it in the text of the call. */
export type Flow = {
  entrance: Entrance;
  word: string;
  call: SinkCall;
  /** What ran in the page, for instance "angularjs 1.8.3". */
  libraries?: readonly string[];
};
