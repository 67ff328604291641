/**
 * Who may send requests that make the target wait. What such a request takes is measured alone: another one of the same scan
 * beside it would make a target with few workers answer late.
 */
export type Quiet = {
  /** Work that may make the target wait. It runs beside other such work, and not beside a measurement. */
  beside<T>(work: () => Promise<T>): Promise<T>;
  /** A measurement: neither other measurements nor slow work run meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T>;
};
