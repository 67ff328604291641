import { Histogram, type Registry } from 'prom-client';

/** What a worker reports of its checks. */
export type CheckMetrics = { durations: Histogram<'check' | 'outcome'> };

export const checkMetrics = (): CheckMetrics => ({
  durations: new Histogram({
    name: 'scanaudit_check_duration_seconds',
    help: 'How long checks took, by check and how it ended.',
    labelNames: ['check', 'outcome'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_200],
    registers: [],
  }),
});

export const registerMetrics = (registry: Registry, metrics: CheckMetrics): void =>
  registry.registerMetric(metrics.durations);
