import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TlsLook } from '../../workflows/model/tls-hello.ts';
import { makeAuthority, makeCertificate, rsa } from '../fixtures/certificates.ts';
import { startKinds } from '../fixtures/tls/kinds.ts';
import { type Oracle, sslscanOracle, sslyzeOracle, testsslOracle } from '../support/tls-oracles.ts';
import { openFor } from '../workflows/probe/support.ts';

const test = suite('what independent scanners see of the same TLS servers');
const host = 'shop.localhost';

const root = await makeAuthority('Northwind Root', { key: rsa(2_048) });
const { kinds, close } = await startKinds({
  rsa: await makeCertificate({ commonName: host, issuer: root, key: rsa(2_048) }),
  ec: await makeCertificate({ commonName: host, issuer: root }),
  other: await makeCertificate({ commonName: 'other.localhost', issuer: root, key: rsa(2_048) }),
});
test.after(close);

const looks = new Map<number, TlsLook>();
test.before(async () => {
  for (const { port } of kinds) {
    const probes = openFor(`https://${host}:${port}`);
    try {
      looks.set(port, await probes.tls.look({ host, port }));
    } finally {
      await probes.close();
    }
  }
});

for (const [name, open] of [
  ['sslyze', sslyzeOracle],
  ['sslscan', sslscanOracle],
  ['testssl.sh', testsslOracle],
] as const) {
  const oracle = await open().catch((error: Error) => error);
  if (oracle instanceof Error) console.log(`${name} cannot be had here: ${oracle.message}`);
  (oracle instanceof Error ? test.skip : test)(`${name} sees nothing that our look at the servers has missed`, () =>
    compare(oracle as Oracle),
  );
}

async function compare({ name: oracleName, seenOn, ours }: Oracle): Promise<void> {
  const seen = await seenOn(
    host,
    kinds.map(({ port }) => port),
  );
  let agreed = 0;
  for (const { name, port } of kinds) {
    const theirs = seen.get(port) ?? [];
    const look = looks.get(port);
    const own = look ? ours(look) : [];
    const onlyOurs = own.filter((line) => !theirs.includes(line));
    if (onlyOurs.length > 0) console.log(`${name}, not seen by ${oracleName}: ${onlyOurs.join(', ')}`);
    assert.equal(
      theirs.filter((line) => !own.includes(line)),
      [],
      name,
    );
    if (theirs.length > 0 && onlyOurs.length === 0) agreed += 1;
  }
  console.log(`${oracleName}: ${agreed} of ${kinds.length} servers are seen alike`);
  assert.ok(agreed >= kinds.length / 2, `${oracleName} has looked at most of them`);
}

test.run();
