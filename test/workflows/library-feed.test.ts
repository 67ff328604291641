import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import published from '@salesforce/code-analyzer-retirejs-engine/vulnerabilities/RetireJsVulns.json' with {
  type: 'json',
};
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLogger } from '../../kit/logger.ts';
import { shippedLibraryData } from '../../workflows/checks/library-data.ts';
import { type LibraryFeed, openLibraryFeed } from '../../workflows/library-feed.ts';

const test = suite('the feed of data on libraries');
const logger = createLogger('test', 'silent');

const weakness = { severity: 'high', below: '9.0.0', identifiers: { CVE: ['CVE-2099-0001'] }, cwe: ['CWE-79'] };
const fresh = JSON.stringify({ ...published, quilt: { vulnerabilities: [weakness], extractors: {} } });
const knowsQuilt = (feed: LibraryFeed) => feed.current().weaknessesOf('quilt', '1.0.0').length === 1;

/** Runs a feed on a server that answers like this, with the times that it was asked. */
async function withFeed(
  answer: RequestListener,
  use: (feed: LibraryFeed, asked: () => number) => Promise<void>,
): Promise<void> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const feed = openLibraryFeed({ url: `http://127.0.0.1:${port}/data.json`, logger, everyMs: 20 });
  try {
    await use(feed, () => asked);
  } finally {
    await feed.close();
    server.closeAllConnections();
    server.close();
  }
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds() && Date.now() < deadline) await sleep(10);
  assert.ok(holds());
}

test('fresh data takes the place of what is shipped, with its date', () =>
  withFeed(
    (_request, response) => response.end(fresh),
    async (feed) => {
      assert.is(feed.current(), shippedLibraryData);
      feed.start();
      await until(() => knowsQuilt(feed));
      assert.match(feed.current().origin, /^fetched on \d{4}-\d\d-\d\d$/);
      assert.equal(feed.current().weaknessesOf('jquery', '3.4.1').length, 2);
    },
  ));

const unusable: Record<string, RequestListener> = {
  'no JSON': (_request, response) => response.end('<!doctype html>'),
  'JSON of another shape': (_request, response) => response.end('{"jquery":{"vulnerabilities":"many"}}'),
  'an emptied file': (_request, response) => response.end('{}'),
  'an error with the data': (_request, response) => response.writeHead(503).end(fresh),
  'a redirect': (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'more than it ever has': (_request, response) => response.end(fresh + ' '.repeat(9 * 1024 * 1024)),
  'a closed connection': (request) => request.socket.destroy(),
};

for (const [what, answer] of Object.entries(unusable))
  test(`${what} changes nothing, and is asked for again`, () =>
    withFeed(answer, async (feed, asked) => {
      feed.start();
      await until(() => asked() >= 2);
      assert.equal(feed.current(), { ...shippedLibraryData, isOutdated: true });
    }));

test('data that was fetched stays when the host is gone later', () => {
  let answers = 0;
  return withFeed(
    (request, response) => {
      answers += 1;
      if (answers === 1) response.end(fresh);
      else request.socket.destroy();
    },
    async (feed, asked) => {
      feed.start();
      await until(() => asked() >= 3);
      assert.ok(knowsQuilt(feed));
    },
  );
});

test('an answer that never ends holds up neither scans nor the end of the worker', () =>
  withFeed(
    (_request, response) => response.write('{'),
    async (feed, asked) => {
      feed.start();
      await until(() => asked() === 1);
      assert.is(feed.current(), shippedLibraryData);
      const started = Date.now();
      await feed.close();
      assert.ok(Date.now() - started < 10_000);
    },
  ));

test('without an address nothing is fetched', async () => {
  const feed = openLibraryFeed({ logger });
  feed.start();
  assert.equal(feed.current().isOff, true);
  await feed.close();
});

test.run();
