import type { Names } from './names.ts';
import type { Reads } from './reads.ts';
import type { Reach } from './request-words.ts';
import type { SessionBook } from './session-book.ts';
import type { WriteValues } from './values.ts';

export type Writing = {
  sessions: SessionBook;
  values: WriteValues;
  reads: Reads;
  names: Names;
  reach(url: string): Reach;
};
