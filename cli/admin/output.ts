import { type DescMessage, type MessageShape, toJson } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { type Printer, styled, table } from '../terminal.ts';

export type OutputOptions = { json?: boolean };

/** The answer as JSON of its message, or as text for people. */
export function print<D extends DescMessage>(
  out: Printer,
  { json }: OutputOptions,
  [schema, message]: [schema: D, message: MessageShape<D>],
  text: () => void,
): void {
  if (json)
    out.stream.write(`${JSON.stringify(toJson(schema, message, { alwaysEmitImplicit: true }), undefined, 2)}\n`);
  else text();
}

export function printTable(out: Printer, heading: string[], rows: string[][], none: string): void {
  if (rows.length === 0) out.line(none);
  else for (const row of table([heading, ...rows])) out.line(row);
}

export function printPairs(out: Printer, pairs: [name: string, value: string][]): void {
  const width = Math.max(...pairs.map(([name]) => name.length)) + 2;
  for (const [name, value] of pairs) if (value !== '') out.line(styled('dim', name.padEnd(width)), value);
}

/** For instance "2026-01-31 12:00"; UTC. Empty without a time. */
export const timeText = (time: Timestamp | undefined): string =>
  time ? timestampDate(time).toISOString().slice(0, 16).replace('T', ' ') : '';
