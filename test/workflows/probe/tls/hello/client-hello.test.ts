import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type HelloOffer, helloVersions } from '../../../../../workflows/model/tls-hello.ts';
import { clientHello } from '../../../../../workflows/probe/tls/hello/client-hello.ts';
import { cursorOver } from '../../../../../workflows/probe/tls/hello/cursor.ts';
import {
  hasForwardSecrecy,
  hasSmallBlocks,
  isUnprotected,
  suiteCode,
  suiteName,
  suitesOf,
  usesRc4,
} from '../../../../../workflows/probe/tls/hello/suites.ts';

const test = suite('ClientHellos and their cipher suites');

/** Reads a hello as a server does. */
function parts(record: Buffer) {
  const fields = cursorOver(record);
  const [type, recordVersion] = [fields.uint8(), fields.uint16()];
  const message = cursorOver(fields.vector(2));
  const kind = message.uint8();
  const body = cursorOver(message.vector(3));
  const [version, random, session] = [body.uint16(), body.take(32), body.vector(1)];
  const [suites, compressions] = [body.vector(2), body.vector(1)];
  const extensions = new Map<number, Buffer>();
  if (body.left() > 0) {
    const list = cursorOver(body.vector(2));
    while (list.left() > 0) extensions.set(list.uint16(), list.vector(2));
  }
  assert.equal([type, kind, fields.left(), message.left(), body.left()], [22, 1, 0, 0, 0]);
  return { recordVersion, version, random, session, suites, compressions, extensions };
}

const tls12: HelloOffer = { versions: ['TLSv1.2'], suites: ['TLS_RSA_WITH_RC4_128_SHA'] };

test('say in which version they are, and name the server', () => {
  const { recordVersion, version, suites, compressions, extensions } = parts(clientHello(tls12, 'shop.example'));
  assert.equal(
    [recordVersion, version, suites.toString('hex'), compressions.toString('hex')],
    [0x0301, 0x0303, '0005', '00'],
  );
  assert.match(extensions.get(0)?.toString('latin1') ?? '', 'shop.example');
  assert.is(extensions.get(0xff01)?.toString('hex'), '00');
  assert.not(extensions.has(43));
});

test('name no server that is an address, or when they are asked not to', () => {
  for (const name of ['', '192.0.2.1', '[2001:db8::1]', '2001:db8::1'])
    assert.not(parts(clientHello(tls12, name)).extensions.has(0), name);
});

test('of SSL 3.0 have no extensions', () => {
  const { recordVersion, version, suites, extensions } = parts(
    clientHello({ ...tls12, versions: ['SSLv3'] }, 'shop.example'),
  );
  assert.equal([recordVersion, version, suites.toString('hex'), extensions.size], [0x0300, 0x0300, '000500ff', 0]);
});

test('of TLS 1.3 name groups without a key share, or with those that they are given', () => {
  const current: HelloOffer = {
    versions: ['TLSv1.2', 'TLSv1.3'],
    suites: ['TLS_AES_128_GCM_SHA256'],
    groups: ['X25519MLKEM768'],
  };
  const { version, extensions } = parts(clientHello(current, 'shop.example'));
  assert.is(version, 0x0303);
  assert.is(extensions.get(43)?.toString('hex'), '0403040303');
  assert.is(extensions.get(10)?.toString('hex'), '000211ec');
  assert.is(extensions.get(51)?.toString('hex'), '0000');
  const shared = parts(clientHello({ ...current, keyShares: ['x25519', 'secp256r1'] }, '')).extensions.get(51);
  assert.is(shared?.length, 2 + 4 + 32 + 4 + 65);
  assert.throws(() => clientHello({ ...current, keyShares: ['X25519MLKEM768'] }, ''), TypeError);
});

test('differ in their random and session id each time', () => {
  const [one, two] = [parts(clientHello(tls12, '')), parts(clientHello(tls12, ''))];
  assert.not.equal(one.random, two.random);
  assert.not.equal(one.session, two.session);
});

test('are never of a size on which old load balancers hang', () => {
  for (const version of helloVersions)
    for (let count = 1; count < 120; count += 7) {
      const { length } = clientHello(
        { versions: [version], suites: suitesOf(version).slice(0, count) },
        'shop.example',
      ).subarray(5);
      assert.not.ok(version !== 'SSLv3' && length > 255 && length < 512, `${version} ${count}: ${length}`);
    }
});

test('offer nothing that no registry has', () => {
  assert.throws(() => clientHello({ ...tls12, suites: ['TLS_MADE_UP'] }, ''), TypeError);
  assert.throws(() => clientHello({ ...tls12, groups: ['curve1'] }, ''), TypeError);
});

/** By IANA's registry "TLS Cipher Suites". */
for (const [name, code] of [
  ['TLS_RSA_WITH_NULL_MD5', 0x0001],
  ['TLS_RSA_EXPORT_WITH_DES40_CBC_SHA', 0x0008],
  ['TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA', 0x0016],
  ['TLS_DH_anon_WITH_AES_256_CBC_SHA', 0x003a],
  ['TLS_DHE_DSS_WITH_AES_256_CBC_SHA256', 0x006a],
  ['TLS_DH_anon_WITH_AES_256_GCM_SHA384', 0x00a7],
  ['TLS_CHACHA20_POLY1305_SHA256', 0x1303],
  ['TLS_ECDHE_RSA_WITH_RC4_128_SHA', 0xc011],
  ['TLS_ECDH_anon_WITH_AES_256_CBC_SHA', 0xc019],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384', 0xc028],
  ['TLS_ECDH_RSA_WITH_ARIA_256_GCM_SHA384', 0xc063],
  ['TLS_ECDHE_RSA_WITH_CAMELLIA_256_GCM_SHA384', 0xc08b],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8', 0xc0af],
  ['TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 0xccaa],
] as const)
  test(`have ${name} as ${code.toString(16)}`, () => {
    assert.is(suiteCode(name), code);
    assert.is(suiteName(code), name);
  });

test('each suite has a code of its own, and one that is not known keeps it as its name', () => {
  const names = [...new Set(helloVersions.flatMap(suitesOf))];
  assert.is(new Set(names.map(suiteCode)).size, names.length);
  assert.is(suiteName(0x5600), '0x5600');
});

test('old versions know nothing of what came later', () => {
  assert.not(suitesOf('TLSv1.1').some((name) => /GCM|SHA256|CHACHA|CCM/.test(name)));
  assert.equal(suitesOf('TLSv1.3').map(suiteCode), [0x1301, 0x1302, 0x1303, 0x1304, 0x1305]);
  assert.ok(suitesOf('TLSv1.2').length > 120);
});

for (const [name, kinds] of [
  ['TLS_RSA_WITH_NULL_SHA256', 'unprotected'],
  ['TLS_ECDH_anon_WITH_RC4_128_SHA', 'unprotected'],
  ['TLS_RSA_EXPORT1024_WITH_RC4_56_SHA', 'unprotected'],
  ['TLS_DHE_RSA_WITH_DES_CBC_SHA', 'unprotected ephemeral'],
  ['TLS_RSA_WITH_3DES_EDE_CBC_SHA', 'small'],
  ['TLS_RSA_WITH_IDEA_CBC_SHA', 'small'],
  ['TLS_ECDHE_RSA_WITH_RC4_128_SHA', 'rc4 ephemeral'],
  ['TLS_ECDH_RSA_WITH_AES_128_CBC_SHA', ''],
  ['TLS_RSA_WITH_SEED_CBC_SHA', ''],
  ['TLS_AES_128_GCM_SHA256', 'ephemeral'],
] as const)
  test(`${name} is ${kinds || 'none of these kinds'}`, () => {
    const is = {
      unprotected: isUnprotected(name),
      small: hasSmallBlocks(name),
      rc4: usesRc4(name),
      ephemeral: hasForwardSecrecy(name),
    };
    assert.equal(
      Object.entries(is)
        .flatMap(([kind, holds]) => (holds ? [kind] : []))
        .join(' '),
      kinds,
    );
  });

test.run();
