import autocannon from 'autocannon';

/** One run of load against one URL. */
type Load = {
  url: string;
  key: string;
  durationSeconds: number;
  connections: number;
  /** Requests a second over all connections; as fast as answers come when not given. */
  rate?: number;
  /** JSON body of each request, which is then a POST. */
  body?: () => unknown;
};

export type Measured = { requestsPerSecond: number; meanMs: number; p50Ms: number; p99Ms: number };

/**
 * Sends load and measures the answers.
 * @throws Error when any answer is not a success: a figure over refusals would mean nothing
 */
export async function measure({ url, key, durationSeconds, connections, rate, body }: Load): Promise<Measured> {
  const result = await autocannon({
    url,
    connections,
    duration: durationSeconds,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(rate === undefined ? {} : { overallRate: rate }),
    ...(body && {
      method: 'POST',
      requests: [{ setupRequest: (request: autocannon.Request) => ({ ...request, body: JSON.stringify(body()) }) }],
    }),
  });
  if (result.non2xx + result.errors + result.timeouts > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors, ${result.timeouts} timeouts`);
  const { latency, requests } = result;
  return { requestsPerSecond: requests.average, meanMs: latency.average, p50Ms: latency.p50, p99Ms: latency.p99 };
}
