import { Histogram, type Registry } from 'prom-client';

export type RpcMetrics = { calls: Histogram<'rpc' | 'code'> };

/** Counts and durations of calls, for the operations door. */
export const rpcMetrics = (): RpcMetrics => ({
  calls: new Histogram({
    name: 'scanaudit_rpc_duration_seconds',
    help: 'Calls by RPC and Connect code.',
    labelNames: ['rpc', 'code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15],
    registers: [],
  }),
});

export const registerMetrics = (registry: Registry, metrics: RpcMetrics): void =>
  registry.registerMetric(metrics.calls);
