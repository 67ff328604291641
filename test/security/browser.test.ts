import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testBrowsers } from '../support/browsers.ts';
import { codeOf, httpsTarget, httpTarget, openFor, runId } from '../workflows/probe/support.ts';

const browsers = testBrowsers();
const browser = suite('the browser');

browser.after(() => browsers.close());

browser('reaches nothing but the audited host, whatever the page tries', async () => {
  const elsewhere = await httpTarget((_request, response) => response.end('secret'), 'other.localhost');
  const stun = createSocket('udp4').bind(0, '127.0.0.1');
  await once(stun, 'listening');
  let packets = 0;
  stun.on('message', () => packets++);
  const stunPort = (stun.address() as AddressInfo).port;
  const target = await httpsTarget((request, response) => {
    if (request.url === '/worker.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end('');
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>hostile</title>
      <link rel="preconnect" href="http://127.0.0.1:${elsewhere.port}">
      <link rel="dns-prefetch" href="http://other.localhost:${elsewhere.port}">
      <link rel="prefetch" href="http://other.localhost:${elsewhere.port}/prefetch">
      <script type="speculationrules">{"prefetch":[{"source":"list","urls":["http://127.0.0.1:${elsewhere.port}/s"]}]}</script>
      <img src="http://169.254.169.254/latest/meta-data/">
      <img src="http://other.localhost:${elsewhere.port}/img">
      <iframe src="http://127.0.0.1:${elsewhere.port}/frame"></iframe>
      <script>
        for (const host of ['127.0.0.1', 'localhost', 'other.localhost', '[::1]'])
          try { new WebSocket('ws://' + host + ':${elsewhere.port}/ws') } catch {}
        fetch('http://127.0.0.1:${elsewhere.port}/fetch').catch(() => {});
        navigator.sendBeacon('http://127.0.0.1:${elsewhere.port}/beacon', 'x');
        navigator.serviceWorker.register('/worker.js').catch(() => {});
        const peer = new RTCPeerConnection({ iceServers: [
          { urls: 'stun:127.0.0.1:${stunPort}' },
          { urls: 'turn:127.0.0.1:${elsewhere.port}?transport=tcp', username: 'u', credential: 'p' } ] });
        peer.createDataChannel('x');
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        open('http://127.0.0.1:${elsewhere.port}/popup');
        const worker = new Worker(URL.createObjectURL(new Blob([
          "fetch('http://127.0.0.1:${elsewhere.port}/worker').catch(() => {})"])));
      </script>`);
  });
  const probes = openFor(target.url, { browsers });
  try {
    const result = await probes.browser.visit({ url: `${target.url}/` });
    assert.is(result.status, 200);
    assert.is(result.title, 'hostile');
    assert.is(elsewhere.connections(), 0);
    assert.is(packets, 0);
    const refused = result.requests.filter((request) => request.refused).map(({ url }) => url);
    assert.ok(refused.includes('http://169.254.169.254/latest/meta-data/'), refused.join('\n'));
    assert.ok(refused.includes(`http://other.localhost:${elsewhere.port}/img`), refused.join('\n'));
    assert.ok(
      refused.some((url) => url.startsWith('ws://')),
      refused.join('\n'),
    );
  } finally {
    await Promise.all([probes.close(), target.close(), elsewhere.close()]);
    stun.close();
  }
});

browser('keeps the same-origin policy, so that a cross-origin read is proof of something', async () => {
  const target = await httpTarget((request, response) => {
    const headers = {
      'content-type': 'text/html',
      ...(request.url === '/open' ? { 'access-control-allow-origin': '*' } : {}),
    };
    if (request.url === '/') {
      return void response.writeHead(200, headers).end(`<body><script>
        const other = 'http://shop.localhost:' + location.port;
        const read = (name, path, options) => fetch(path, options).then((r) => r.text())
          .then((text) => console.log(name + ' read ' + text), () => console.log(name + ' refused'));
        const frame = document.createElement('iframe');
        frame.sandbox = 'allow-scripts';
        frame.srcdoc = '<script>fetch("' + other + '/secret").then((r) => r.text()).then((t) => console.log("null origin read " + t), () => console.log("null origin refused"));' +
          'fetch("' + other + '/open").then((r) => r.text()).then((t) => console.log("open read " + t), () => console.log("open refused"));' +
          'fetch("' + other + '/open", {headers: {"x-own": "1"}}).then(() => console.log("preflight passed"), () => console.log("preflight refused"));<' + '/script>';
        document.body.append(frame);
        read('same origin', '/secret');
      </script>`);
    }
    response.writeHead(200, headers).end(request.method === 'OPTIONS' ? '' : 'content');
  });
  const probes = openFor(target.url, { browsers });
  try {
    const { console } = await probes.browser.visit({ url: `${target.url}/` });
    const lines = console.filter((line) => / (read|refused|passed)/.test(line) && !line.startsWith('Access')).sort();
    assert.equal(lines, ['null origin refused', 'open read content', 'preflight refused', 'same origin read content']);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

browser('loads pages behind a bad certificate, and says what the page did', async () => {
  const seen: string[] = [];
  const target = await httpsTarget((request, response) => {
    seen.push(
      `${request.url} ${request.headers['x-scan-audit-run']} ${/ScanAudit/.test(request.headers['user-agent'] ?? '')} ${request.headers.cookie} ${request.headers['x-own']}`,
    );
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "img-src 'none'",
      'set-cookie': 'seen=yes; HttpOnly; SameSite=Lax',
      'x-kept': 'as it is',
    });
    response.end(`<title>page ü</title><button id="go" onclick="alert('clicked'); history.pushState(0, '', '/next')">go</button>
      <img src="/blocked.png"><script>alert('loaded'); console.log('logged'); localStorage.setItem('k', 'v'); sessionStorage.setItem('s', 't')</script>`);
  });
  const probes = openFor(target.url, { browsers });
  const jar = probes.http.newJar();
  jar.set(target.url, 'session', 'abc');
  try {
    const result = await probes.browser.visit({
      url: `${target.url}/first`,
      jar,
      headers: [['X-Own', '1']],
      clicks: ['#missing', '#go'],
    });
    assert.equal(seen, [`/first ${runId} true session=abc 1`]);
    assert.equal(result.dialogs, ['loaded', 'clicked']);
    assert.ok(result.console.includes('logged'));
    assert.is(result.title, 'page ü');
    assert.is(result.finalUrl, `${target.url}/next`);
    assert.equal(result.localStorage, { k: 'v' });
    assert.equal(result.sessionStorage, { s: 't' });
    assert.is(result.headers.find(([name]) => name === 'x-kept')?.[1], 'as it is');
    assert.ok(
      result.cspViolations.some((line) => line.startsWith('img-src ')),
      result.cspViolations.join(),
    );
    assert.equal(result.cookies.map(({ name }) => name).sort(), ['seen', 'session']);
    assert.ok(jar.header(target.url).includes('seen=yes'));
    assert.is(probes.requests(), 1);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

browser('ends a page that keeps its process busy for ever, and goes on with the next', async () => {
  const target = await httpTarget((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(request.url === '/busy' ? '<script>for (;;);</script>' : '<title>fine</title>');
  });
  const probes = openFor(target.url, { browsers });
  try {
    const startMs = performance.now();
    assert.is(await codeOf(probes.browser.visit({ url: `${target.url}/busy`, timeoutMs: 3_000 })), 'timeout');
    assert.ok(performance.now() - startMs < 8_000);
    assert.is((await probes.browser.visit({ url: `${target.url}/` })).title, 'fine');
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

browser('names why there is no page', async () => {
  const target = await httpTarget((_request, response) => response.destroy());
  const probes = openFor(target.url, { browsers });
  const none = openFor('http://shop.localhost/', {});
  try {
    assert.is(await codeOf(probes.browser.visit({ url: `${target.url}/` })), 'unreachable');
    assert.is(await codeOf(probes.browser.visit({ url: 'http://other.localhost/' })), 'out_of_scope');
    assert.is(await codeOf(none.browser.visit({ url: 'http://shop.localhost/' })), 'unavailable');
    assert.match((await none.browser.unavailable()) ?? '', /without a browser/);
  } finally {
    await Promise.all([probes.close(), none.close(), target.close()]);
  }
});

browser('is launched again after it crashed', async () => {
  const target = await httpTarget((_request, response) => response.end('<title>here</title>'));
  const probes = openFor(target.url, { browsers });
  try {
    const first = await browsers.browser();
    const gone = new Promise((resolve) => first.once('disconnected', resolve));
    const session = await first.newBrowserCDPSession();
    session.send('Browser.crash').catch(() => {});
    await gone;
    assert.is((await probes.browser.visit({ url: `${target.url}/` })).status, 200);
    assert.is.not(await browsers.browser(), first);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

browser('keeps to the connections and requests of the budget', async () => {
  let images = 0;
  const target = await httpsTarget((request, response) => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html');
      return void response.end(Array.from({ length: 30 }, (_, index) => `<img src="/${index}">`).join(''));
    }
    images++;
    setTimeout(() => response.end('x'), 20);
  });
  const probes = openFor(target.url, { browsers, share: { maxRequests: 21 } });
  try {
    await probes.browser.visit({ url: `${target.url}/` });
    assert.is(images, 20);
    assert.is(probes.requests(), 21);
    assert.ok(target.mostAtOnce() <= 5, `${target.mostAtOnce()} connections`);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

browser('opens WebSockets of the audited host where credentials are typed in, and nowhere else', async () => {
  const upgraded: (string | undefined)[] = [];
  const target = await httpTarget((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<body><script>new WebSocket("ws://" + location.host + "/socket").onopen = () => document.body.append("opened")</script>',
    );
  });
  target.server.on('upgrade', (request, socket) => {
    upgraded.push(`${request.url} ${request.headers['x-scan-audit-run']}`);
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  const probes = openFor(target.url, { browsers });
  try {
    const url = `${target.url}/`;
    const { requests } = await probes.browser.visit({ url });
    assert.ok(requests.some((request) => request.url === `${url.replace('http', 'ws')}socket` && request.refused));
    assert.equal(upgraded, []);
    assert.equal(probes.gate.refusals(), [{ code: 'websocket', places: ['GET /socket'] }]);
    const fields = { username: '', password: '', code: '', submit: '' };
    const signedIn = await probes.browser.signIn({
      ...{ url, jar: probes.http.newJar(), username: 'a', password: 'b', fields },
    });
    assert.equal(upgraded, [`/socket ${runId}`]);
    assert.match(signedIn.html, /<\/script>opened/);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

browser('dies with the process that started it, even a killed one', async () => {
  // What a killed process leaves in its temporary folder goes with this one.
  const folder = await mkdtemp(join(tmpdir(), 'browser-owner-'));
  await chmod(folder, 0o755);
  const owner = spawn(process.execPath, [new URL('./browser-owner.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { TMPDIR: folder },
  });
  const [line] = await once(owner.stdout, 'data');
  const pid = Number(line);
  assert.ok(isAlive(pid));
  owner.kill('SIGKILL');
  const endMs = performance.now() + 5_000;
  while (isAlive(pid) && performance.now() < endMs) await sleep(50);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  assert.not.ok(isAlive(pid));
});

/** A process that ended but that nobody waited for has no command line any more. */
function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

browser.run();
