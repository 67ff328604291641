import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Logger } from '../kit/logger.ts';
import { type LibraryData, readLibraryData, shippedLibraryData } from './checks/library-data.ts';

/** Keeps what is published on libraries up to date; the data that the program ships stands in until then. */
export type LibraryFeed = {
  /** The newest data there is. */
  current(): LibraryData;
  /** Fetches now and daily, in the background. Failures are logged, and the data that there is says so. */
  start(): void;
  close(): Promise<void>;
};

const dayMs = 24 * 60 * 60 * 1_000;
const timeLimitMs = 30_000;
/** The file had 0.4 MB in 2026. */
const maxBytes = 8 * 1024 * 1024;

/**
 * @param options.url JSON of Retire.js at a host of the operator's choice; never fetched when not given
 * @param options.everyMs a day by default
 */
export function openLibraryFeed({
  url,
  logger,
  everyMs = dayMs,
}: {
  url?: string;
  logger: Logger;
  everyMs?: number;
}): LibraryFeed {
  const closing = new AbortController();
  let data = shippedLibraryData;
  let hasFailed = false;
  let running: Promise<void> | undefined;

  async function refresh(address: string): Promise<void> {
    try {
      data = await fetchLibraryData(address, closing.signal);
      hasFailed = false;
      logger.info({ origin: data.origin }, 'data on libraries is up to date');
    } catch (err) {
      hasFailed = true;
      if (!closing.signal.aborted) logger.warn({ err, url: address }, 'data on libraries stays as it is');
    }
  }

  async function keepFresh(address: string): Promise<void> {
    while (!closing.signal.aborted) {
      await refresh(address);
      await sleep(everyMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  return {
    current() {
      if (url === undefined) return { ...data, isOff: true };
      return hasFailed ? { ...data, isOutdated: true } : data;
    },
    start() {
      if (url !== undefined) running ??= keepFresh(url);
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** @throws Error when there is no answer, or one that is not such data */
async function fetchLibraryData(url: string, closing: AbortSignal): Promise<LibraryData> {
  const agent = new Agent();
  const signal = AbortSignal.any([closing, AbortSignal.timeout(timeLimitMs)]);
  try {
    // Plain bytes, so that the limit is one of memory as well.
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    const { statusCode, body } = await request(url, { dispatcher: agent, signal, headers });
    if (statusCode !== 200) throw new Error(`the answer has status ${statusCode}`);
    const data = readLibraryData(JSON.parse(await textOf(body)), `fetched on ${new Date().toISOString().slice(0, 10)}`);
    const [known, shipped] = [data.marks.length, shippedLibraryData.marks.length];
    if (known < shipped / 2) throw new Error(`it knows ${known} libraries, far fewer than the ${shipped} shipped`);
    return data;
  } finally {
    await agent.destroy();
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
