import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProofSchema } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { protocolOutdated } from '../../../../workflows/checks/tls/protocol-outdated.check.ts';
import { experimentOf } from '../../../../workflows/proof/stored.ts';
import { makeCertificate, rsa } from '../../../fixtures/certificates.ts';
import { firstRows, further } from '../../../support/further.ts';
import { host, resultFor, verdictOn } from './public-site.ts';

const test = suite('tls.protocol-outdated');

const ecServer = await makeCertificate({ commonName: host });
const rsaServer = await makeCertificate({ commonName: host, key: rsa(2_048) });
const old = { ciphers: 'ALL:@SECLEVEL=0' };

for (const [what, options, detail] of firstRows(
  [
    ['every version', { ...ecServer, ...old, minVersion: 'TLSv1' }, /accepts TLS 1\.0 and TLS 1\.1\./],
    ['TLS 1.1 and newer, with RSA', { ...rsaServer, ...old, minVersion: 'TLSv1.1' }, /accepts TLS 1\.1\./],
    [
      'nothing newer than TLS 1.0',
      { ...rsaServer, ...old, minVersion: 'TLSv1', maxVersion: 'TLSv1' },
      /accepts TLS 1\.0, and nothing newer\./,
    ],
  ] as const,
  1,
)) {
  test(`a server that accepts ${what} is found`, async () => {
    const found = await resultFor(protocolOutdated, options);
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', detail);
  });
}

for (const [what, options] of firstRows(
  [
    ['current versions', { ...ecServer, ...old, minVersion: 'TLSv1.2' }],
    ['TLS 1.3 alone', { ...ecServer, minVersion: 'TLSv1.3' }],
    [
      'old versions with ciphers that those do not have',
      { ...ecServer, minVersion: 'TLSv1', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' },
    ],
  ] as const,
  1,
)) {
  test(`a server that accepts ${what} is clean`, async () => {
    assert.equal(await verdictOn(protocolOutdated, options), ['clean', 0]);
  });
}

further(test)('the stored proof offers the same when it is run again, and so does the command', async () => {
  const { findings } = await resultFor(protocolOutdated, { ...ecServer, ...old, minVersion: 'TLSv1' });
  const proof = create(ProofSchema, findings[0]?.proof);
  assert.is(proof.curl.split('\n').filter((line) => line.startsWith('bash -c ')).length, 2);
  assert.match(JSON.stringify(proof.steps[1]?.observation), /version TLSv1\.1\\n ?suite TLS_ECDHE_ECDSA_/);
  const again = experimentOf(fromBinary(ProofSchema, toBinary(ProofSchema, proof)));
  if ('notReplayable' in again) throw new Error(again.notReplayable);
  const offers = [...again.steps, ...again.control].map((step) => ('hello' in step ? step.hello : undefined));
  assert.equal(
    offers.map((hello) => hello?.versions),
    [['TLSv1'], ['TLSv1.1'], ['TLSv1.2', 'TLSv1.3']],
  );
  assert.ok(offers.every((hello) => hello?.serverName === host && hello.suites.length > 0));
});

test.run();
