import type { z } from 'zod';
import { readJson } from '../kit/json.ts';
import { invalid } from './errors.ts';

/** Turns the place of the last item of a page into the opaque text of `nextCursor`, and back. */
type CursorCodec<P> = {
  write(place: P): string;
  /**
   * Undefined for an empty cursor: the first page.
   * @throws Refusal INVALID_PARAMETER for anything but what `write` gave
   */
  read(cursor: string): P | undefined;
};

/** A cursor only says where to go on; what may be seen is decided anew on each page, so it needs no signature. */
export function cursorOf<S extends z.ZodType>(place: S): CursorCodec<z.infer<S>> {
  const write = (value: z.infer<S>) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    write,
    read: (cursor) => {
      if (cursor === '') return undefined;
      if (cursor.length > maxCursorLength) throw notOurs();
      const read = place.safeParse(readJson(Buffer.from(cursor, 'base64url').toString()));
      // Base64 is read leniently: what was cut, lengthened or mistyped may still be read as something.
      if (!read.success || write(read.data) !== cursor) throw notOurs();
      return read.data;
    },
  };
}

/** Ours have an id and a time at most, or a domain of 253 characters. */
const maxCursorLength = 1_024;

const notOurs = () => invalid('INVALID_PARAMETER', 'cursor', 'use the nextCursor of the page before');

/** Items of a page. The contract has the limits of what may be asked for. */
export const pageSize = (limit: number | undefined): number => limit ?? 20;

/**
 * Cuts what was read to a page.
 * @param rows up to one more than the page holds: that one only shows that there is a next page
 * @param cursorAt the cursor of the page that begins after a row
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAt: (row: Row) => string,
): { page: Row[]; next: { nextCursor?: string } } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next: rows.length > limit && last !== undefined ? { nextCursor: cursorAt(last) } : {} };
}
