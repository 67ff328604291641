import type { Computed } from './computed-result.ts';

/** A text of a format that makes objects, in which a function is called that multiplies. */
export type SerializedCall = Computed & {
  where: string;
  /** The same with the name misspelt. */
  broken: string;
  /** It makes an object of a class that it names, and calls nothing by itself. */
  isObject?: true;
};
