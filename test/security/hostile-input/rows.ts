import type { Row } from './row.ts';
import { fileRows } from './rows/files.ts';
import { htmlRows } from './rows/html.ts';
import { networkRows } from './rows/network.ts';
import { textRows } from './rows/texts.ts';

/** Everything that a target can make the worker read, each with input that is meant to hold it up or to fill its memory. */
export const rows: readonly Row[] = [...networkRows, ...fileRows, ...htmlRows, ...textRows];
