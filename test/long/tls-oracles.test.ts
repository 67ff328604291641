import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TlsLook } from '../../workflows/probe/tls/hello/types.ts';
import { makeAuthority, makeCertificate, rsa } from '../fixtures/certificates.ts';
import { type Kind, startKinds } from '../fixtures/tls/kinds.ts';
import { findPythonTool } from '../support/python/tool.ts';
import { openFor } from '../workflows/probe/support.ts';

const run = promisify(execFile);
const test = suite('what an independent scanner sees of the same TLS servers');

/** The part of sslyze's JSON that is compared. */
type Scan = {
  server_location: { port: number };
  scan_result: Record<string, { status: string; result: Result | null }> | null;
};
type Result = {
  accepted_cipher_suites?: { cipher_suite: { name: string } }[];
  supports_compression?: boolean;
  supports_early_data?: boolean;
  supports_secure_renegotiation?: boolean;
};

const versions = {
  SSLv3: 'ssl_3_0_cipher_suites',
  TLSv1: 'tls_1_0_cipher_suites',
  'TLSv1.1': 'tls_1_1_cipher_suites',
  'TLSv1.2': 'tls_1_2_cipher_suites',
  'TLSv1.3': 'tls_1_3_cipher_suites',
};

const host = 'shop.localhost';

async function sslyzeOn(kinds: readonly Kind[]): Promise<Map<number, Scan>> {
  const command = await findPythonTool('sslyze', process.env);
  const folder = await mkdtemp(join(tmpdir(), 'tls-oracle-'));
  const file = join(folder, 'scan.json');
  const what = [
    '--sslv3',
    '--tlsv1',
    '--tlsv1_1',
    '--tlsv1_2',
    '--tlsv1_3',
    '--compression',
    '--early_data',
    '--reneg',
  ];
  try {
    const targets = kinds.map(({ port }) => `${host}:${port}{127.0.0.1}`);
    // It exits with 1 when a server does not meet Mozilla's recommendations.
    await run(command, [...what, `--json_out=${file}`, ...targets], { timeout: 900_000, maxBuffer: 2 ** 26 }).catch(
      () => {},
    );
    const { server_scan_results: scans } = JSON.parse(await readFile(file, 'utf8')) as { server_scan_results: Scan[] };
    return new Map(scans.map((scan) => [scan.server_location.port, scan]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a scanner saw, one line each; only what it looked at to the end. */
const sslyzeLines = ({ scan_result }: Scan): string[] => {
  const results = scan_result ?? {};
  const suites = Object.entries(versions).flatMap(([version, key]) =>
    (results[key]?.result?.accepted_cipher_suites ?? []).map(({ cipher_suite }) => `${version} ${cipher_suite.name}`),
  );
  const flags = [
    results.tls_compression?.result?.supports_compression ? ['compresses'] : [],
    results.tls_1_3_early_data?.result?.supports_early_data ? ['takes early data'] : [],
    results.session_renegotiation?.result?.supports_secure_renegotiation === false ? ['renegotiates insecurely'] : [],
  ];
  return [...suites, ...flags.flat()];
};

const ourLines = (look: TlsLook): string[] => [
  ...look.versions.flatMap(({ version, suites }) => suites.map(({ name }) => `${version} ${name}`)),
  ...(look.compresses ? ['compresses'] : []),
  ...(look.maxEarlyDataBytes > 0 ? ['takes early data'] : []),
  ...(look.isRenegotiationSecure === false ? ['renegotiates insecurely'] : []),
];

async function ourLook(port: number): Promise<TlsLook> {
  const probes = openFor(`https://${host}:${port}`);
  try {
    return await probes.tls.look({ host, port });
  } finally {
    await probes.close();
  }
}

test('sslyze sees nothing that the look at the servers has missed', async () => {
  const root = await makeAuthority('Northwind Root', { key: rsa(2_048) });
  const { kinds, close } = await startKinds({
    rsa: await makeCertificate({ commonName: host, issuer: root, key: rsa(2_048) }),
    ec: await makeCertificate({ commonName: host, issuer: root }),
    other: await makeCertificate({ commonName: 'other.localhost', issuer: root, key: rsa(2_048) }),
  });
  try {
    const scans = await sslyzeOn(kinds);
    let [compared, agreed] = [0, 0];
    for (const { name, port } of kinds) {
      const scan = scans.get(port);
      const theirs = scan ? sslyzeLines(scan) : [];
      const ours = ourLines(await ourLook(port));
      const onlyOurs = ours.filter((line) => !theirs.includes(line));
      if (onlyOurs.length > 0) console.log(`${name}, seen by us alone: ${onlyOurs.join(', ')}`);
      assert.equal(
        theirs.filter((line) => !ours.includes(line)),
        [],
        name,
      );
      compared += 1;
      if (theirs.length > 0 && onlyOurs.length === 0) agreed += 1;
    }
    console.log(`${agreed} of ${compared} servers are seen alike`);
    assert.ok(agreed >= kinds.length / 2, 'sslyze has looked at most of them');
  } finally {
    await close();
  }
});

test.run();
