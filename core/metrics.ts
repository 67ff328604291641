import type { EntityManager } from '@mikro-orm/postgresql';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Logger } from '../kit/logger.ts';
import { inSystem } from './db/session.ts';

export type RpcMetrics = { calls: Histogram<'rpc' | 'code'> };

/** Counts and durations of calls, for the operations port. */
export const rpcMetrics = (): RpcMetrics => ({
  calls: new Histogram({
    name: 'scanaudit_rpc_duration_seconds',
    help: 'Calls by RPC and Connect code.',
    labelNames: ['rpc', 'code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15],
    registers: [],
  }),
});

/** What the database holds, read when /metrics is requested. All cores give the same figures, so read those of one. */
type StoredCounts = {
  scans: { status: string; count: number }[];
  ended: { status: string; count: number }[];
  oldest_seconds: number;
  parked: number;
  available: number;
  reserved: number;
};

/** Reads few rows by index, whatever the history: scans under way, and those that ended within the hour. */
const readStored = (em: EntityManager): Promise<StoredCounts | undefined> =>
  inSystem(em, 'metrics', async (tx) => {
    const [row] = await tx.execute<StoredCounts[]>(
      `select
         (select coalesce(json_agg(s), '[]') from (select status, count(*)::integer as count from scans
            where finished_at is null group by status) s) as scans,
         (select coalesce(json_agg(s), '[]') from (select status, count(*)::integer as count from scans
            where finished_at > now() - interval '1 hour' group by status) s) as ended,
         (select coalesce(extract(epoch from now() - min(created_at)), 0)::float from outbox where available_at < 'infinity') as oldest_seconds,
         (select count(*)::integer from outbox where available_at = 'infinity') as parked,
         (select coalesce(sum(available), 0)::float from credit_accounts) as available,
         (select coalesce(sum(reserved), 0)::float from credit_accounts) as reserved`,
    );
    return row;
  });

/** Registers the metrics of a core. */
export function registerMetrics(registry: Registry, calls: RpcMetrics, em: EntityManager, log: Logger): void {
  registry.registerMetric(calls.calls);
  let reading: Promise<StoredCounts | undefined> | undefined;
  // The figures of one answer are asked for at once, and are read once.
  const stored = () => {
    reading ??= readStored(em)
      .catch((err: unknown) => {
        log.warn({ err }, 'the figures of the database could not be read');
        return undefined;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const gauge = (name: string, help: string, label: string, values: (from: StoredCounts) => Record<string, number>) =>
    new Gauge({
      name: `scanaudit_${name}`,
      help,
      labelNames: label === '' ? [] : [label],
      registers: [registry],
      async collect() {
        const from = await stored();
        this.reset();
        for (const [value, figure] of Object.entries(from ? values(from) : {}))
          this.set(label === '' ? {} : { [label]: value }, figure);
      },
    });
  gauge('scans_unfinished', 'Scans that have not ended, by status.', 'status', ({ scans }) => ({
    ...{ queued: 0, running: 0 },
    ...countsOf(scans),
  }));
  gauge('scans_ended_last_hour', 'Scans that ended within the last hour, by status.', 'status', ({ ended }) => ({
    ...{ completed: 0, failed: 0, canceled: 0 },
    ...countsOf(ended),
  }));
  gauge('queue_age_seconds', 'Age of the oldest message that Temporal has not been given.', '', (from) => ({
    age: from.oldest_seconds,
  }));
  gauge(
    'messages_parked',
    'Messages that were refused for a day; last_error in the table outbox says why.',
    '',
    (from) => ({
      parked: from.parked,
    }),
  );
  const creditHelp = 'Credit of all orgs: available, or reserved for scans that have not ended.';
  gauge('credits', creditHelp, 'state', ({ available, reserved }) => ({ available, reserved }));
  new Gauge({
    name: 'scanaudit_database_up',
    help: 'Whether the figures of the database could be read.',
    registers: [registry],
    async collect() {
      this.set((await stored()) ? 1 : 0);
    },
  });
}

const countsOf = (rows: StoredCounts['scans']): Record<string, number> =>
  Object.fromEntries(rows.map(({ status, count }) => [status, count]));
