import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HelloVersion, TlsLook } from '../../workflows/model/tls-hello.ts';
import { suiteName } from '../../workflows/probe/tls/hello/suites.ts';
import { debianPackages } from '../bench/peers/install.ts';
import { findPythonTool } from './python/tool.ts';

const run = promisify(execFile);

/** An independent scanner of TLS servers. What it sees is put into lines, and so is what our look saw of the same. */
export type Oracle = {
  name: string;
  /** The lines for each port. */
  seenOn(host: string, ports: readonly number[]): Promise<Map<number, string[]>>;
  ours(look: TlsLook): string[];
};

/** sslyze from PyPI. @throws Error where it cannot be had */
export async function sslyzeOracle(): Promise<Oracle> {
  const command = await findPythonTool('sslyze', process.env);
  return {
    name: 'sslyze',
    ours: ourLines,
    async seenOn(host, ports) {
      const what = ['sslv3', 'tlsv1', 'tlsv1_1', 'tlsv1_2', 'tlsv1_3', 'compression', 'early_data', 'reneg'];
      const targets = ports.map((port) => `${host}:${port}{127.0.0.1}`);
      const text = await reportOf(command, (file) => [
        ...what.map((look) => `--${look}`),
        ...[`--json_out=${file}`, ...targets],
      ]);
      const { server_scan_results: scans } = JSON.parse(text) as { server_scan_results: SslyzeScan[] };
      return new Map(scans.map((scan) => [scan.server_location.port, sslyzeLines(scan)]));
    },
  };
}

/** sslscan from Debian. @throws Error where it cannot be had */
export async function sslscanOracle(): Promise<Oracle> {
  const command = join(await debianPackages(['sslscan'], process.env), 'usr/bin/sslscan');
  return {
    name: 'sslscan',
    ours: (look) => ourLines(look).filter((line) => line !== earlyData),
    seenOn: (host, ports) =>
      each(ports, 2, async (port) => {
        const args = (file: string) => [
          ...['--no-heartbleed', '--no-groups', '--no-fallback', '--no-check-certificate'],
          ...[`--xml=${file}`, `--sni-name=${host}`, `127.0.0.1:${port}`],
        ];
        // Some servers make it wait for ever; what it has written by then counts.
        return sslscanLines(await reportOf(command, args, { timeoutMs: 30_000 }));
      }),
  };
}

/** testssl.sh from Debian: versions and kinds of suites, for all else takes minutes. @throws Error where it cannot be had */
export async function testsslOracle(): Promise<Oracle> {
  const root = await debianPackages(['testssl.sh'], process.env);
  const resolver = join(root, 'usr/bin/nslookup');
  // It insists on a resolver's program, although the address is given.
  await writeFile(resolver, '#!/bin/sh\nexit 0\n');
  await chmod(resolver, 0o755);
  const env = {
    ...process.env,
    PATH: `${process.env.PATH}:${join(root, 'usr/bin')}`,
    TESTSSL_INSTALL_DIR: join(root, 'etc/testssl'),
  };
  const program = join(root, 'usr/bin/testssl');
  return {
    name: 'testssl.sh',
    ours: ourKinds,
    seenOn: (host, ports) =>
      each(ports, 2, async (port) => {
        const words = ['--quiet', '--color', '0', '--warnings', 'off', '--ip', '127.0.0.1', '-p', '-s'];
        const args = (file: string) => [program, ...words, '--jsonfile', file, `https://${host}:${port}/`];
        return testsslLines(await reportOf('bash', args, { env, timeoutMs: 80_000 }));
      }),
  };
}

/** Runs a program that writes a file, whatever code it exits with. @returns the file; "" when there is none */
async function reportOf(
  command: string,
  argsFor: (file: string) => string[],
  { env = process.env, timeoutMs = 900_000 } = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tls-oracle-'));
  const file = join(folder, 'report');
  try {
    await run(command, argsFor(file), { timeout: timeoutMs, maxBuffer: 2 ** 26, cwd: folder, env }).catch(() => {});
    return await readFile(file, 'utf8').catch(() => '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function each<T>(ports: readonly number[], atOnce: number, work: (port: number) => Promise<T>) {
  const left = [...ports];
  const results = new Map<number, T>();
  const next = async (): Promise<void> => {
    for (let port = left.shift(); port !== undefined; port = left.shift()) results.set(port, await work(port));
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return results;
}

const compression = 'compresses';
const earlyData = 'takes early data';
const renegotiation = 'renegotiates insecurely';

const ourLines = (look: TlsLook): string[] => [
  ...look.versions.flatMap(({ version, suites }) => suites.map(({ name }) => `${version} ${name}`)),
  ...(look.compresses ? [compression] : []),
  ...(look.maxEarlyDataBytes > 0 ? [earlyData] : []),
  ...(look.isRenegotiationSecure === false ? [renegotiation] : []),
];

/** The part of sslyze's JSON that is compared. */
type SslyzeScan = {
  server_location: { port: number };
  scan_result: Record<string, { status: string; result: SslyzeResult | null }> | null;
};
type SslyzeResult = {
  accepted_cipher_suites?: { cipher_suite: { name: string } }[];
  supports_compression?: boolean;
  supports_early_data?: boolean;
  supports_secure_renegotiation?: boolean;
};

const sslyzeVersions = {
  SSLv3: 'ssl_3_0_cipher_suites',
  TLSv1: 'tls_1_0_cipher_suites',
  'TLSv1.1': 'tls_1_1_cipher_suites',
  'TLSv1.2': 'tls_1_2_cipher_suites',
  'TLSv1.3': 'tls_1_3_cipher_suites',
};

/** Only what it looked at to the end. */
const sslyzeLines = ({ scan_result }: SslyzeScan): string[] => {
  const results = scan_result ?? {};
  const suites = Object.entries(sslyzeVersions).flatMap(([version, key]) =>
    (results[key]?.result?.accepted_cipher_suites ?? []).map(({ cipher_suite }) => `${version} ${cipher_suite.name}`),
  );
  const flags = [
    results.tls_compression?.result?.supports_compression ? [compression] : [],
    results.tls_1_3_early_data?.result?.supports_early_data ? [earlyData] : [],
    results.session_renegotiation?.result?.supports_secure_renegotiation === false ? [renegotiation] : [],
  ];
  return [...suites, ...flags.flat()];
};

const sslscanVersions: Record<string, string> = { 'TLSv1.0': 'TLSv1' };

function sslscanLines(xml: string): string[] {
  const suites = xml.matchAll(/<cipher status="\w+" sslversion="([^"]+)" [^>]*id="0x([0-9A-F]{4})"/g);
  return [
    ...[...suites].map(([, version = '', code = '']) => {
      return `${sslscanVersions[version] ?? version} ${suiteName(Number.parseInt(code, 16))}`;
    }),
    ...(/<compression supported="1"/.test(xml) ? [compression] : []),
    ...(/<renegotiation supported="1" secure="0"/.test(xml) ? [renegotiation] : []),
  ];
}

const testsslVersions: Record<string, HelloVersion> = {
  SSLv3: 'SSLv3',
  TLS1: 'TLSv1',
  TLS1_1: 'TLSv1.1',
  TLS1_2: 'TLSv1.2',
  TLS1_3: 'TLSv1.3',
};
const suiteKinds: Record<string, RegExp> = {
  cipherlist_NULL: /_NULL_/,
  cipherlist_aNULL: /_anon_/,
  cipherlist_EXPORT: /_EXPORT/,
  cipherlist_3DES_IDEA: /_3DES_|_IDEA_/,
};

/** By its own names: versions, and kinds of suites. */
function testsslLines(json: string): string[] {
  // One that was ended has left an array without its end.
  const findings = json.matchAll(/"id"\s*:\s*"(\w+)[^}]*?"finding"\s*:\s*"offered/g);
  return [...findings].flatMap(([, id = '']) =>
    id in testsslVersions || id in suiteKinds ? [testsslVersions[id] ?? id] : [],
  );
}

function ourKinds({ versions }: TlsLook): string[] {
  const suites = versions.flatMap((each) => each.suites.map(({ name }) => name));
  const kinds = Object.entries(suiteKinds).filter(([, pattern]) => suites.some((name) => pattern.test(name)));
  return [...versions.map(({ version }) => version), ...kinds.map(([id]) => id)];
}
