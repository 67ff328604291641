import { splitMessages } from '../../../../workflows/probe/browser/relay/messages.ts';
import { createSift, maxMessageBytes } from '../../../../workflows/probe/browser/relay/sift.ts';
import { filled, KiB, MiB, type Row, row } from '../row.ts';

const sift = 'workflows/probe/browser/relay/sift.ts';

const contents: Record<string, () => string> = {
  'lists in lists': () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  'small objects': () => `[${filled('{"a":1},', 240 * KiB)}{}]`,
  'one text': () => `"${filled('\\u0000', 240 * KiB)}"`,
};
const methods = ['Runtime.consoleAPICalled', 'Runtime.bindingCalled', 'Page.frameNavigated'];

const events = methods.flatMap((method) =>
  Object.entries(contents).map(([what, make]) =>
    row(
      `what a browser says by ${method}: ${what}`,
      [sift],
      () => Buffer.from(`{"method":"${method}","params":{"payload":"x","a":${make()}},"sessionId":"A1"}`),
      (message) => {
        const said = createSift();
        return Array.from({ length: 4 }, () => said.message(message));
      },
    ),
  ),
);

function split(pieces: readonly Buffer[]): number {
  let bytes = 0;
  const take = splitMessages(maxMessageBytes, {
    message: (message) => {
      bytes += message.length;
    },
    tooLong: () => {},
  });
  for (const piece of pieces) take(piece);
  return bytes;
}

const streams: Row[] = [
  row(
    'the longest message of a browser',
    [],
    () => Array.from({ length: 2_000 }, () => Buffer.alloc(64 * KiB, 1)),
    split,
  ),
  row('a browser that speaks byte by byte', [], () => Array.from({ length: MiB / 4 }, () => Buffer.of(1)), split),
  row('a browser that says nothing very often', [], () => [Buffer.alloc(4 * MiB)], split),
];

/** What a page makes the browser say, in the process between it and the worker. */
export const relayRows: Row[] = [...events, ...streams];
