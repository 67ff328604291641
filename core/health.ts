import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Health, HealthCheckResponse_ServingStatus } from '../proto/gen/health/v1/health_pb.ts';

/** What is not there, each with the reason. */
export type Missing = { core?: 'draining'; postgresql?: string; temporal?: string };

const checkTimeoutMs = 2_000;

/** Asks PostgreSQL and Temporal whether they can be used. Callers at the same time share one round of questions. */
export function createReadiness(em: EntityManager, orchestrator: { check(): Promise<void> }): () => Promise<Missing> {
  let asking: Promise<Missing> | undefined;
  const ask = async (): Promise<Missing> => {
    const [postgresql, temporal] = await Promise.all([
      fault(() => em.fork().execute('select 1')),
      fault(() => orchestrator.check()),
    ]);
    return { ...(postgresql && { postgresql }), ...(temporal && { temporal }) };
  };
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

/** Why it does not work, or "". */
async function fault(question: () => Promise<unknown>): Promise<string> {
  const given = new AbortController();
  const late = sleep(checkTimeoutMs, `no answer in ${checkTimeoutMs} ms`, { signal: given.signal }).catch(() => '');
  const answer = question().then(
    () => '',
    (error: unknown) => (error instanceof Error && error.message) || String(error),
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    given.abort();
  }
}

const { SERVING, NOT_SERVING, SERVICE_UNKNOWN } = HealthCheckResponse_ServingStatus;
const watchEveryMs = 1_000;

/**
 * The standard gRPC health service. "" is the whole program: PostgreSQL and Temporal. A service by its name needs
 * PostgreSQL only, as scans are accepted while Temporal is down. A program that ends serves nothing.
 */
export function healthService(names: readonly string[], missing: () => Promise<Missing>): ServiceImpl<typeof Health> {
  const known = new Set(['', ...names]);
  const statusOf = async (name: string) => {
    if (!known.has(name)) return SERVICE_UNKNOWN;
    const { core, postgresql, temporal } = await missing();
    return core || postgresql || (name === '' && temporal) ? NOT_SERVING : SERVING;
  };
  return {
    check: async ({ service }) => {
      const status = await statusOf(service);
      if (status === SERVICE_UNKNOWN) throw new ConnectError('There is no such service.', Code.NotFound);
      return { status };
    },
    list: async () => {
      const entries = await Promise.all(
        [...known].map(async (name) => [name, { status: await statusOf(name) }] as const),
      );
      return { statuses: Object.fromEntries(entries) };
    },
    async *watch({ service }, { signal }) {
      let last: number | undefined;
      while (!signal.aborted) {
        const status = await statusOf(service);
        if (status !== last) yield { status };
        last = status;
        await sleep(watchEveryMs, undefined, { signal }).catch(() => {});
      }
    },
  };
}
