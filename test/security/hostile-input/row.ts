/** A function that is given what a target sends, with input that is meant to hold up or kill the worker. */
export type Row = {
  /** What is read, and what is hostile about it. */
  name: string;
  /** Files with parsers or decoders that it reaches, from the root of the project. */
  covers: readonly string[];
  /** Makes the input: up to the size that the worker takes from a target. */
  input(): unknown;
  run(input: never): unknown;
  /** One of many alike, which only the long test measures. */
  isFurther?: boolean;
};

/** Of the thread of the event loop. */
export const maxCpuMs = 1_000;
/** Held at the same time, beside what the process held before. */
export const maxMiB = 64;

/** @param I what `input` makes and `run` takes */
export const row = <I>(
  name: string,
  covers: readonly string[],
  input: () => I,
  run: (input: I) => unknown,
  isFurther = false,
): Row => ({ name, covers, input, run, isFurther });

export const KiB = 1024;
export const MiB = 1024 * KiB;

/** A text repeated up to a length, flat in memory as the text of an answer is. */
export const filled = (unit: string, length: number): string =>
  Buffer.from(unit.repeat(Math.ceil(length / unit.length)).slice(0, length)).toString();

/** Texts that differ, one after the other, up to a length. */
export function counted(unit: (index: number) => string, length: number): string {
  const parts: string[] = [];
  for (let size = 0, index = 0; size < length; index += 1) {
    const part = unit(index);
    parts.push(part);
    size += part.length;
  }
  return Buffer.from(parts.join('')).toString();
}
