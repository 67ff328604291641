/** Of one row, beyond what the program held before it. */
export const maxMemoryMb = 64;

/** One hostile input of a caller, and the code that reads it. */
export type Row = {
  /** What the input is. */
  name: string;
  /** Source files whose parsers it goes through. */
  covers: readonly string[];
  /** The limit of the input's size, in the unit of `make`. */
  size: number;
  /** Made before anything is measured. */
  make(size: number): unknown;
  /** Reads it as the program does. A refusal is as good as a success. */
  read(input: never): unknown;
  /** The program reads it in a thread of its own: the time counts, the memory is bounded by that thread's heap. */
  isAside?: boolean;
  /** One of many alike, which only the long test measures. */
  isFurther?: boolean;
};

export type Measured = { name: string; ms: number; halfMs: number; memoryMb: number };
