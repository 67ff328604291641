import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rpcClients } from '../../kit/rpc.ts';
import { KeyService } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import type { BenchStack, Started } from './bench-stack.ts';

export type Worker = {
  /** Resident megabytes of the worker itself: the browser is a process of its own. */
  memoryMb(): Promise<number>;
  /** Seconds that each check has taken so far, over all scans. */
  checkSeconds(): Promise<Map<string, number>>;
  stop(): Promise<void>;
};

type WorkerTargets = {
  /** Names that may be found on loopback. */
  hosts: readonly string[];
  /** PEM of the authorities of their certificates. */
  authorities: readonly string[];
  /** "ip:port" */
  dnsServer?: string;
};

/** Starts a worker with the rate that loopback targets bear, and waits until its browser is warm. */
export async function startWorker(
  stack: BenchStack,
  { hosts, authorities, dnsServer }: WorkerTargets,
): Promise<Worker> {
  const operator = rpcClients({ baseUrl: stack.coreUrl, key: stack.operatorKey });
  const { secret } = await operator(KeyService).issueKey({ kind: KeyKind.WORKER, name: 'bench' });
  const caFile = join(tmpdir(), `scan-audit-bench-${randomBytes(6).toString('hex')}.pem`);
  await writeFile(caFile, authorities.join('\n'));
  const program = await stack.start('workflows/main.ts', {
    CORE_URL: stack.coreUrl,
    WORKER_KEY: secret,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TARGET_ALLOW: hosts.map((host) => `${host}=127.0.0.0/8`).join(','),
    EXTRA_CA_FILE: caFile,
    REQUESTS_PER_SECOND: '500',
    LIBRARY_DATA_URL: 'off',
    ...(dnsServer === undefined ? {} : { DNS_SERVER: dnsServer }),
  });
  return { ...workerOf(program), stop: () => program.stop().finally(() => rm(caFile, { force: true })) };
}

function workerOf(program: Started): Omit<Worker, 'stop'> {
  const metrics = async () => (await fetch(`http://127.0.0.1:${program.ready.operationsPort}/metrics`)).text();
  return {
    memoryMb: async () => numberIn(await metrics(), /^process_resident_memory_bytes (\S+)$/m) / 2 ** 20,
    async checkSeconds() {
      const sums = (await metrics()).matchAll(/^scanaudit_check_duration_seconds_sum\{check="([^"]+)".*\} (\S+)$/gm);
      const seconds = new Map<string, number>();
      for (const [, check = '', sum] of sums) seconds.set(check, (seconds.get(check) ?? 0) + Number(sum));
      return seconds;
    },
  };
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? Number.NaN);
