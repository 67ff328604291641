/**
 * `node main.ts END-FILE COMMAND [ARGUMENTS]` runs a browser between Playwright and the DevTools protocol: what the browser
 * says on descriptor 4 passes `createSift`, in a process that holds nothing else. Ends the browser when Playwright closes
 * its end or asks for it and the browser does not obey, and writes to END-FILE how it ended.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { BrowserEnd } from './end.ts';
import { lastLines } from './log.ts';
import { splitMessages } from './messages.ts';
import { createSift, maxMessageBytes } from './sift.ts';

/** A browser that is asked to end has this long for it. */
const endingMs = 2_000;
/** What it said last may still be on its way when it has ended. */
const lastWordsMs = 500;

const [endFile = '', command = '', ...args] = process.argv.slice(2);
const fromWorker = new Socket({ fd: 3, readable: true, writable: false });
const toWorker = new Socket({ fd: 4, readable: false, writable: true });
const browser = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
const [, , , toBrowser, fromBrowser] = browser.stdio as [null, null, Readable, Writable, Readable];
const log = lastLines();
const sift = createSift();
const zero = Buffer.from([0]);

const kill = () => setTimeout(() => browser.kill('SIGKILL'), endingMs).unref();

const send = (message: Buffer | undefined) => {
  if (!message) return;
  toWorker.write(message);
  if (!toWorker.write(zero)) fromBrowser.pause();
};
toWorker.on('drain', () => fromBrowser.resume());
for (const stream of [fromWorker, toWorker, toBrowser, fromBrowser]) stream.on('error', () => {});

const workerMessages = splitMessages(Number.POSITIVE_INFINITY, {
  message(message) {
    const { method, answer } = sift.command(message);
    if (answer) return send(answer);
    toBrowser.write(Buffer.concat([message, zero]));
    if (method === 'Browser.close') kill();
  },
  tooLong() {},
});
const browserMessages = splitMessages(maxMessageBytes, {
  message: (message) => send(sift.message(message)),
  tooLong: (begin, end) => send(sift.tooLong(begin, end)),
});
fromWorker.on('data', workerMessages);
fromBrowser.on('data', browserMessages);
fromWorker.on('close', () => {
  toBrowser.end();
  kill();
});
browser.stderr?.setEncoding('utf8').on('data', log.add);

let isFinished = false;
function finish(code: number | null, signal: string | null): void {
  if (isFinished) return;
  isFinished = true;
  const end: BrowserEnd = { code, signal, stderr: log.lines(), leftOut: sift.leftOut };
  writeFileSync(endFile, JSON.stringify(end));
  toWorker.end(() => process.exit(code ?? 1));
  setTimeout(() => process.exit(code ?? 1), lastWordsMs);
}

browser.once('error', (error) => {
  log.add(`${error.message}\n`);
  finish(null, null);
});
browser.once('exit', (code, signal) => {
  const timer = setTimeout(() => finish(code, signal), lastWordsMs);
  fromBrowser.once('end', () => {
    clearTimeout(timer);
    setImmediate(() => finish(code, signal));
  });
});
