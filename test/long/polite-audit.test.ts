import { createSecureServer } from 'node:http2';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { loadRegistry } from '../../workflows/checks/registry.ts';
import { testBrowsers } from '../workflows/checks/harness.ts';
import { certificateFor, listen, type Target } from '../workflows/probe/support.ts';
import { hasEnded } from '../workflows/support/installation.ts';
import { openWorkbench } from '../workflows/support/workbench.ts';

const requestsPerSecond = 80;
/** Sent evenly, they arrive unevenly when the machine is busy: one in five may fall into the next second. */
const mostInASecond = requestsPerSecond * 1.2;

type Arrival = { atMs: number; version: string; agent: string };
type Shop = Target & { arrivals: Arrival[] };

const page = (path: string) => `<!doctype html><title>Shop ${path}</title><script src="/app.js"></script>
  <a href="/">start</a> <a href="/search?q=tea">search</a> <a href="/item?id=1">item</a> <a href="/about">about</a>
  <form action="/search"><input name="q"><button>go</button></form>`;

/** A small shop with pages of its own script, over HTTP/2 for who speaks it. */
async function openShop(): Promise<Shop> {
  const arrivals: Arrival[] = [];
  const server = createSecureServer({ ...(await certificateFor('site.localhost')), allowHTTP1: true });
  server.on('request', (request, response) => {
    const { httpVersion, headers, url } = request;
    arrivals.push({ atMs: performance.now(), version: httpVersion, agent: headers['user-agent'] ?? '' });
    const { pathname, searchParams } = new URL(url, 'https://site.localhost');
    const type = pathname === '/app.js' ? 'text/javascript' : 'text/html; charset=utf-8';
    const isKnown = ['/', '/search', '/item', '/about', '/app.js'].includes(pathname);
    response.writeHead(isKnown ? 200 : 404, { 'content-type': type, 'set-cookie': 'basket=1; Path=/' });
    if (pathname === '/app.js') response.end('document.title += new URLSearchParams(location.search).get("q") ?? ""');
    else response.end(isKnown ? page(pathname + encodeURIComponent(searchParams.get('q') ?? '')) : 'none');
  });
  server.on('sessionError', () => {});
  return { ...(await listen(server, 'https', 'site.localhost')), arrivals };
}

/** Most that arrived within any one second. */
function busiestSecond(timesMs: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [index, time] of timesMs.entries()) {
    while (time - (timesMs[first] ?? time) >= 1_000) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

const politeness = suite('politeness of a whole standard scan, counted at the target');

politeness('it holds 5 connections and its rate in every second, with all checks, HTTP/2 and the browser', async () => {
  const browsers = testBrowsers();
  const shop = await openShop();
  const bench = await openWorkbench(await loadRegistry(), browsers, requestsPerSecond);
  try {
    const { runId } = await bench.scans.startScan({ url: `${shop.url}/` });
    const record = await bench.until(runId, hasEnded);
    const { arrivals } = shop;
    assert.is(record.status, ScanStatus.COMPLETED);
    assert.ok(arrivals.length > 200, `${arrivals.length} requests`);
    assert.ok(arrivals.some(({ version }) => version === '2.0'));
    assert.ok(arrivals.some(({ agent }) => agent.includes('Chrome')));
    const busiest = busiestSecond(arrivals.map(({ atMs }) => atMs));
    assert.ok(busiest <= mostInASecond, `${busiest} requests in a second`);
    assert.ok(shop.mostAtOnce() <= 5, `${shop.mostAtOnce()} connections`);
  } finally {
    await bench.close();
    await Promise.all([shop.close(), browsers.close()]);
  }
});

politeness.run();
