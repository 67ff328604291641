import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serverCertificate } from '../../../dev/demo/certificate.ts';
import { formLogin } from '../../../dev/demo/identities.ts';
import { askOverUdp } from './names/ask.ts';

const folder = await mkdtemp(join(tmpdir(), 'demo-main-'));
const program = join(import.meta.dirname, '../../../dev/demo/main.ts');
const main = suite('the demo program');

const { PATH, NODE_COMPILE_CACHE } = process.env;
const start = (env: Record<string, string>) =>
  spawn(process.execPath, [program], { env: { PATH, NODE_COMPILE_CACHE, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });

async function firstLine(
  child: ReturnType<typeof start>,
): Promise<{ ready: string; url: string; caFile: string; dnsServer: string }> {
  if (!child.stdout) throw new Error('no standard output');
  for await (const line of createInterface(child.stdout)) return JSON.parse(line);
  throw new Error('the program ended without a line');
}

/** The result of verifying the server against the authority, for a name. */
async function handshake(url: string, caFile: string, servername: string): Promise<string> {
  const socket = connect({
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    servername,
    ca: await readFile(caFile),
  });
  try {
    await once(socket, 'secureConnect');
    return 'trusted';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  } finally {
    socket.destroy();
  }
}

main('says where it and its name server answer, with a certificate for its hosts, and ends on SIGTERM', async () => {
  const child = start({ DEMO_HOME: folder });
  try {
    const { ready, url, caFile, dnsServer } = await firstLine(child);
    assert.is(ready, 'demo');
    assert.match(url, /^https:\/\/shop\.localhost:\d+\/$/);
    assert.is((await askOverUdp(dnsServer, 'shop.localhost', 'SOA')).answers?.length, 1);
    assert.is(await handshake(url, caFile, 'shop.localhost'), 'trusted');
    assert.is(await handshake(url, caFile, 'static.shop.localhost'), 'trusted');
    assert.is(await handshake(url, caFile, 'other.localhost'), 'ERR_TLS_CERT_ALTNAME_INVALID');
  } finally {
    child.kill('SIGTERM');
  }
  assert.equal(await once(child, 'exit'), [0, null]);
});

main('names a setting that is wrong', async () => {
  const child = start({ DEMO_HOME: folder, DEMO_PATCHED: 'maybe' });
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.is(code, 1);
  assert.match(message, 'DEMO_PATCHED: use true or false');
});

main('keeps its authority, readable by its owner alone', async () => {
  const kept = await readFile(join(folder, 'authority.pem'), 'utf8');
  const { caFile } = await serverCertificate(folder, 'shop.localhost');
  assert.is(await readFile(join(folder, 'authority.pem'), 'utf8'), kept);
  assert.ok(kept.includes((await readFile(caFile, 'utf8')).trim()));
  assert.not.match(await readFile(caFile, 'utf8'), 'PRIVATE');
  assert.is((await stat(join(folder, 'authority.pem'))).mode & 0o777, 0o600);
});

main('agrees on one authority when several start in an empty folder', async () => {
  const empty = join(folder, 'empty');
  await Promise.all(Array.from({ length: 5 }, () => serverCertificate(empty, 'shop.localhost')));
  const kept = await readFile(join(empty, 'authority.pem'), 'utf8');
  assert.ok(kept.includes((await readFile(join(empty, 'ca.pem'), 'utf8')).trim()));
});

main('names the logins for an audit', () => {
  assert.equal(formLogin('https://shop.localhost:8443/', 'a'), {
    kind: {
      case: 'form',
      value: {
        url: 'https://shop.localhost:8443/login',
        username: 'anna.berg@mail.example',
        password: 'quiet-harbour-71',
      },
    },
    checkUrl: 'https://shop.localhost:8443/account',
    role: 'user',
  });
});

main.after(() => rm(folder, { recursive: true }));
main.run();
