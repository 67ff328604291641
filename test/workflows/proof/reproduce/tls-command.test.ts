import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TlsVersion } from '../../../../workflows/model/tls.ts';
import { tlsCommand } from '../../../../workflows/proof/reproduce/tls-command.ts';
import { html, type Site, startSite } from '../../../fixtures/site.ts';
import { startNode } from '../../../fixtures/tls/node.ts';
import { certificateFor } from '../../probe/support.ts';
import { runIn } from './shell.ts';

const test = suite<{ site: Site }>('handshakes as commands');
test.before(async (context) => {
  context.site = await startSite(() => html('hello'), { tls: await certificateFor('shop.localhost') });
});
test.after(({ site }) => site.close());

const handshake = async (
  { port }: Site,
  serverName: string,
  range: { minVersion?: TlsVersion; maxVersion?: TlsVersion } = {},
) => {
  const { stdout, stderr } = await runIn('sh', tlsCommand({ host: '127.0.0.1', port, serverName, ...range }));
  return stdout + stderr;
};

test('show the certificate, its dates, and what is wrong with it', async ({ site }) => {
  const shown = await handshake(site, 'shop.localhost');
  assert.match(shown, /subject=.*shop\.localhost/);
  assert.match(shown, /NotAfter/);
  assert.match(shown, /Server public key is \d+ bit/);
  assert.match(shown, /Verif(?:y|ication)[^\n]*(?:self.signed|unable)/);
});

test('show that a name is another one', async ({ site }) => {
  assert.match(await handshake(site, 'www.elsewhere.example'), /hostname mismatch/i);
});

test('offer the versions that the proof offered', async ({ site }) => {
  const version = async (range: { minVersion?: TlsVersion; maxVersion?: TlsVersion }) =>
    /^New, (TLSv[\d.]+)/m.exec(await handshake(site, 'shop.localhost', range))?.[1];
  assert.equal(
    [
      await version({}),
      await version({ maxVersion: 'TLSv1.2' }),
      await version({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }),
      await version({ minVersion: 'TLSv1.3' }),
    ],
    ['TLSv1.3', 'TLSv1.2', 'TLSv1.2', 'TLSv1.3'],
  );
});

test('reach servers of old versions, and of suites that OpenSSL does not offer by itself', async () => {
  const certificate = await certificateFor('shop.localhost');
  for (const [protocol, ciphers] of [
    ['TLSv1', 'ECDHE+AES:@SECLEVEL=0'],
    ['TLSv1.1', 'ECDHE+AES:@SECLEVEL=0'],
    ['TLSv1.2', 'eNULL:@SECLEVEL=0'],
  ] as const) {
    const old = await startNode({ ...certificate, minVersion: protocol, maxVersion: protocol, ciphers });
    try {
      const command = tlsCommand({ host: '127.0.0.1', port: old.port, serverName: 'shop.localhost' }, protocol);
      const { stdout } = await runIn('sh', command);
      assert.match(stdout, /subject=.*shop\.localhost/, protocol);
      assert.match(stdout, RegExp(`Protocol *: ${protocol}|^New, ${protocol}`, 'm'), protocol);
    } finally {
      await old.close();
    }
  }
});

test('reach addresses of both kinds, and name nobody where no name is sent', () => {
  assert.is(
    tlsCommand({ host: '2001:db8::1', port: 443 }),
    "openssl s_client -connect '[2001:db8::1]:443' -noservername </dev/null",
  );
  assert.match(tlsCommand({ host: '[2001:db8::1]', port: 8443 }), "-connect '[2001:db8::1]:8443' ");
  assert.match(tlsCommand({ host: 'a.example', port: 443, serverName: '' }), '-connect a.example:443 -noservername ');
});

test.run();
