import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { claim, type HelloAction, type Subject } from '../../../../workflows/model/experiment.ts';
import type { HelloVersion } from '../../../../workflows/model/tls-hello.ts';
import { certificatesCommand, helloCommand } from '../../../../workflows/proof/reproduce/hello-command.ts';
import { makeCertificate, rsa } from '../../../fixtures/certificates.ts';
import { startSite } from '../../../fixtures/site.ts';
import { modp2Pem } from '../../../fixtures/tls/dh-params.ts';
import { startScripted } from '../../../fixtures/tls/scripted.ts';
import { openFor } from '../../probe/support.ts';
import { runIn } from './shell.ts';

const test = suite('ClientHellos as commands');

const certificate = await makeCertificate({ commonName: 'shop.localhost', key: rsa(2_048) });
const old = await startScripted({ version: 0x0300, suite: 0x0005, compression: 1, cert: certificate.cert });
const unaware = await startScripted({
  version: 0x0303,
  suite: 0x002f,
  isRenegotiationSecure: false,
  cert: certificate.cert,
});
const short = await startSite(() => undefined, {
  tls: Object.assign({}, certificate, { dhparam: modp2Pem(), ciphers: 'DHE:@SECLEVEL=0', maxVersion: 'TLSv1.2' }),
});
test.after(async () => void (await Promise.all([old.close(), unaware.close(), short.close()])));

async function shown(port: number, version: HelloVersion, suites: string[], subject: Subject, compressions = ['null']) {
  const keys = { groups: ['x25519'], signatures: ['rsa_pkcs1_sha256'] };
  const action: HelloAction = { host: 'shop.localhost', port, versions: [version], suites, compressions, ...keys };
  const probes = openFor(`https://shop.localhost:${port}`);
  try {
    const answer = await probes.tls.hello(action);
    const command = helloCommand(action, answer, [claim(subject, 'present')]);
    return (await runIn('sh', command.replaceAll('shop.localhost', '127.0.0.1'))).stdout;
  } finally {
    await probes.close();
  }
}

test('show the version and the suite that are chosen, and that what is compressed is', async () => {
  const ssl3 = await shown(old.port, 'SSLv3', ['TLS_RSA_WITH_RC4_128_SHA'], 'hello:version', ['deflate', 'null']);
  assert.is(ssl3.trim(), 'version 0x0300, cipher suite 0x0005, compression 0x01');
});

test('show that an offer is refused', async () => {
  assert.is((await shown(old.port, 'TLSv1.2', ['TLS_RSA_WITH_NULL_SHA'], 'hello:suite')).trim(), 'refused, alert 0x28');
});

test('show the length of the prime', async () => {
  assert.match(
    await shown(short.port, 'TLSv1.2', ['TLS_DHE_RSA_WITH_AES_128_GCM_SHA256'], 'hello:dh-bits'),
    /temp key: DH, 1024 bits/i,
  );
});

test('show that renegotiation is not secure', async () => {
  const text = await shown(unaware.port, 'TLSv1.2', ['TLS_RSA_WITH_AES_128_CBC_SHA'], 'hello:renegotiation');
  assert.match(text, /Secure Renegotiation IS NOT supported/);
});

test('show the certificates of a server that OpenSSL cannot talk to', async () => {
  for (const port of [old.port, unaware.port]) {
    const probes = openFor(`https://shop.localhost:${port}`);
    try {
      const { chain, hello = Buffer.alloc(0) } = await probes.tls.handshake({ host: 'shop.localhost', port });
      assert.is(chain[0]?.subject, 'CN=shop.localhost');
      const { stdout } = await runIn('sh', certificatesCommand({ host: '127.0.0.1', port }, hello));
      for (const part of [
        /Subject: CN ?= ?shop\.localhost/,
        /Not After ?: /,
        /2048 bit/,
        /sha256With/,
        /DNS:shop\.loc/,
      ])
        assert.match(stdout, part);
    } finally {
      await probes.close();
    }
  }
});

test('say that a server has sent no certificate', async () => {
  const refused = Buffer.from([22, 3, 0, 0, 4, 1, 0, 0, 0]);
  const { stdout } = await runIn('sh', certificatesCommand({ host: '127.0.0.1', port: short.port }, refused));
  assert.is(stdout.trim(), 'no certificate');
});

test.run();
