import { firstOfEach } from '../first-of-each.ts';
import type { Row } from './row.ts';
import { conclusionRows } from './rows/conclusions.ts';
import { connectionRows } from './rows/connections.ts';
import { fileRows } from './rows/files.ts';
import { gateRows } from './rows/gate.ts';
import { htmlRows } from './rows/html.ts';
import { networkRows } from './rows/network.ts';
import { relayRows } from './rows/relay.ts';
import { textRows } from './rows/texts.ts';

/** Everything that a target can make the worker read, each with input that is meant to hold it up or to fill its memory. */
export const allRows: readonly Row[] = [
  ...networkRows,
  ...connectionRows,
  ...gateRows,
  ...fileRows,
  ...htmlRows,
  ...textRows,
  ...conclusionRows,
  ...relayRows,
];

/** Those that are measured with every change. */
export const rows: readonly Row[] = firstOfEach(allRows.filter(({ isFurther }) => !isFurther));
