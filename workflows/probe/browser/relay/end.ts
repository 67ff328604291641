import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const BrowserEndShape = z.object({
  code: z.number().nullable(),
  signal: z.string().nullable(),
  stderr: z.array(z.string()),
  leftOut: z.record(z.string(), z.number()),
});

/** How a browser's process ended: exit code or signal, its last lines, and how many of its messages were not passed on, by method. */
export type BrowserEnd = z.infer<typeof BrowserEndShape>;

/** What the relay has written about the end; undefined when it was killed itself. */
export async function readEnd(file: string): Promise<BrowserEnd | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : BrowserEndShape.parse(JSON.parse(text));
}

/** For people: "signal SIGTRAP; its last words: …". */
export function describeEnd({ code, signal, stderr }: BrowserEnd): string {
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  const last = stderr.at(-1);
  return last === undefined ? how : `${how}, last line of its log: ${last}`;
}
