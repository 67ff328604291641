import { createSocket } from 'node:dgram';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testBrowsers } from '../support/browsers.ts';
import { further } from '../support/further.ts';
import { codeOf, httpTarget, openFor, type Target } from '../workflows/probe/support.ts';
import { departures, escapeHeaders, escapesPage } from './escapes.ts';

const browsers = testBrowsers();
const escapes = suite('a page that wants out of the browser');

escapes.after(() => browsers.close());

const metadata = 'http://169.254.169.254';
const types: Record<string, string> = {
  '/v/stylesheet': 'text/css',
  '/v/import': 'text/css',
  '/service.js': 'text/javascript',
};

type World = {
  target: Target;
  /** Somebody else on this machine, who hears every name and address for it. */
  elsewhere: Target;
  stunPort: number;
  packets(): number;
  /** Where the worker itself tried to connect to: what the guard let through. */
  attempts: Set<string>;
  /** Names of the ways that arrived at the target. */
  arrived: Set<string>;
};

/** A target that serves the hostile pages at "/?<origin>" and "/<departure>?<origin>". */
async function openTarget(stunPort: () => number, arrived: Set<string>): Promise<Target> {
  return httpTarget((request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop.localhost');
    const origin = decodeURIComponent(url.search.slice(1));
    const departure = departures[decodeURIComponent(url.pathname.slice(1))]?.(origin);
    if (url.pathname.startsWith('/v/')) arrived.add(url.pathname.slice(3));
    const type = types[url.pathname] ?? 'text/html';
    const referrer = decodeURIComponent(new URL(request.headers.referer ?? 'http://x/').search.slice(1));
    if (url.pathname === '/moved') response.writeHead(302, { location: `${referrer || origin}/v/moved` }).end();
    else if (departure) response.writeHead(200, { 'content-type': type, ...departure.headers }).end(departure.body);
    else if (url.pathname !== '/') response.writeHead(200, { 'content-type': type }).end();
    else
      response
        .writeHead(200, { 'content-type': type, 'referrer-policy': 'unsafe-url', ...escapeHeaders(origin) })
        .end(escapesPage(origin, stunPort()));
  });
}

async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  const stun = createSocket('udp4').bind(0, '127.0.0.1');
  await once(stun, 'listening');
  let packets = 0;
  stun.on('message', () => packets++);
  const { port: stunPort } = stun.address() as AddressInfo;
  const arrived = new Set<string>();
  const elsewhere = await httpTarget((_request, response) => response.end('root:secret'), 'other.localhost');
  const target = await openTarget(() => stunPort, arrived);
  const attempts = new Set<string>();
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address, port) => attempts.add(`${address}:${port}`));
  };
  subscribe('net.client.socket', note);
  try {
    await work({ target, elsewhere, stunPort, packets: () => packets, attempts, arrived });
  } finally {
    unsubscribe('net.client.socket', note);
    await Promise.all([target.close(), elsewhere.close()]);
    stun.close();
  }
}

further(escapes)('each way out is one: on the own host they arrive', () =>
  inWorld(async ({ target, arrived }) => {
    const probes = openFor(target.url, { browsers });
    try {
      const page = await probes.browser.visit({ url: `${target.url}/?${encodeURIComponent(target.url)}` });
      const left = await Promise.all(
        Object.keys(departures).map((name) =>
          probes.browser.visit({ url: `${target.url}/${encodeURIComponent(name)}?${encodeURIComponent(target.url)}` }),
        ),
      );
      const ways =
        'preload modulepreload stylesheet import font background img moved video poster svg-image object embed iframe refresh fetch xhr events worker module popup location meta header data';
      assert.equal(
        ways.split(' ').filter((way) => !arrived.has(way)),
        [],
        [...arrived].join(' '),
      );
      // What posts, or is fetched ahead, is one too, and stopped by the write gate.
      const refused = [page, ...left].flatMap(({ requests }) => requests.filter((each) => each.refused));
      const gated = ['prefetch', 'form', 'keepalive', 'beacon', 'posted'];
      assert.equal(
        gated.filter((way) => !refused.some(({ url }) => url.endsWith(`/v/${way}`))),
        [],
      );
      assert.equal(
        gated.filter((way) => arrived.has(way)),
        [],
      );
    } finally {
      await probes.close();
    }
  }),
);

further(escapes)('none leads to another host of this machine, by any of its names, or to the metadata of a cloud', () =>
  inWorld(async ({ target, elsewhere, packets, attempts }) => {
    const hosts = ['127.0.0.1', 'other.localhost', '[::1]'];
    const origins = [...hosts.map((host) => `http://${host}:${elsewhere.port}`), metadata];
    const probes = openFor(target.url, { browsers });
    try {
      const visits = origins.map((origin) =>
        probes.browser.visit({ url: `${target.url}/?${encodeURIComponent(origin)}`, timeoutMs: 30_000 }),
      );
      for (const { title, requests, console, frames, html } of await Promise.all(visits)) {
        assert.is(title, 'hostile');
        assert.ok(requests.filter(({ refused }) => refused).length > 10);
        const allowed = requests.filter(({ refused, url }) => !refused && !url.includes(target.host));
        assert.equal(allowed, []);
        assert.not.ok([...console, ...frames, html].some((text) => text.includes('root:')));
      }
      assert.is(elsewhere.connections(), 0);
      assert.is(packets(), 0);
      assert.equal([...attempts], [`127.0.0.1:${target.port}`]);
    } finally {
      await probes.close();
    }
  }),
);

escapes('no tab leaves for another host, a file or a view of a source', () =>
  inWorld(async ({ target, elsewhere, attempts }) => {
    const probes = openFor(target.url, { browsers });
    const origins = [elsewhere.url, metadata];
    try {
      const urls = Object.keys(departures).flatMap((name) =>
        origins.map((origin) => `${target.url}/${encodeURIComponent(name)}?${encodeURIComponent(origin)}`),
      );
      const visits = urls.map((url) => probes.browser.visit({ url, timeoutMs: 30_000 }));
      for (const { html } of await Promise.all(visits)) assert.not.match(html, 'root:');
      assert.is(elsewhere.connections(), 0);
      assert.equal([...attempts], [`127.0.0.1:${target.port}`]);
      const own = ['file:///etc/passwd', `view-source:${elsewhere.url}`, 'chrome://version', `${metadata}/`];
      for (const url of own) assert.is(await codeOf(probes.browser.visit({ url })), 'out_of_scope', url);
    } finally {
      await probes.close();
    }
  }),
);

escapes.run();
