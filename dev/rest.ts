import { z } from 'zod';

const Counts = z.object({
  critical: z.number(),
  high: z.number(),
  medium: z.number(),
  low: z.number(),
  info: z.number(),
});
const Omission = z.object({ code: z.string(), count: z.number(), subject: z.string(), text: z.string() });
const Location = z.object({ url: z.string(), method: z.string(), parameter: z.string().nullish() });

const Started = z.object({ runId: z.string(), host: z.string() });
const RestScan = z.object({
  status: z.enum(['queued', 'running', 'completed', 'failed', 'canceled']),
  phase: z.string(),
  progress: z.number(),
  findingsCount: z.number(),
  severity: Counts,
  requests: z.number(),
  failure: z.object({ code: z.string(), detail: z.string() }).nullish(),
});
const Scans = z.object({ items: z.array(z.object({ runId: z.string() })) });
const ChainLink = z.object({
  actionId: z.string(),
  gives: z.string(),
  breaksChain: z.boolean(),
});
const RestFinding = z.object({
  severity: z.string(),
  title: z.string(),
  location: Location,
  chain: z.array(ChainLink),
});
const Findings = z.object({ items: z.array(RestFinding), nextCursor: z.string().nullish() });
const RestGate = z.object({
  verdict: z.string(),
  reason: z.string(),
  threshold: z.string(),
  coverage: z.object({ complete: z.boolean(), gaps: z.array(Omission), limits: z.array(Omission) }),
});

export type RestScan = z.infer<typeof RestScan>;
export type RestFinding = z.infer<typeof RestFinding>;
export type RestGate = z.infer<typeof RestGate>;

/** The part of the public REST API that an audit needs. Each call throws an Error with the problem's title and detail. */
export class RestClient {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #signal: AbortSignal;

  /** @param signal ends every call */
  constructor(baseUrl: string, key: string, signal: AbortSignal) {
    this.#baseUrl = baseUrl;
    this.#key = key;
    this.#signal = signal;
  }

  async startScan(url: string, depth: 'standard' | 'deep'): Promise<z.infer<typeof Started>> {
    return Started.parse(await this.#json('/api/v1/scans', { url, depth }));
  }

  /** Replaces what scans of a domain look at. */
  async putScope(domain: string, scope: object): Promise<void> {
    await this.#send('PUT', `/api/v1/domains/${encodeURIComponent(domain)}/scope`, scope);
  }

  async putLogin(domain: string, name: string, recipe: object): Promise<void> {
    await this.#send('PUT', `/api/v1/domains/${encodeURIComponent(domain)}/logins/${encodeURIComponent(name)}`, recipe);
  }

  async scan(runId: string): Promise<RestScan> {
    return RestScan.parse(await this.#json(`/api/v1/scans/${runId}`));
  }

  /** Those that wait or run. */
  async unfinishedScans(): Promise<{ runId: string }[]> {
    const [queued, running] = await Promise.all(
      ['queued', 'running'].map((status) => this.#json(`/api/v1/scans?status=${status}&limit=100`)),
    );
    return [queued, running].flatMap((list) => Scans.parse(list).items);
  }

  /** Resolves when the worker is asked to end it. */
  async cancelScan(runId: string): Promise<void> {
    await this.#send('POST', `/api/v1/scans/${runId}/cancel`, {});
  }

  /** All of them, worst first. */
  async findings(runId: string): Promise<RestFinding[]> {
    const all: RestFinding[] = [];
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ limit: '100', ...(cursor ? { cursor } : {}) });
      const page = Findings.parse(await this.#json(`/api/v1/scans/${runId}/findings?${query}`));
      all.push(...page.items);
      cursor = page.nextCursor || undefined;
    } while (cursor);
    return all;
  }

  async gate(runId: string): Promise<RestGate> {
    return RestGate.parse(await this.#json(`/api/v1/scans/${runId}/gate`));
  }

  /** One self-contained HTML file. */
  async report(runId: string): Promise<string> {
    return (await this.#fetch(`/api/v1/scans/${runId}/report`, 'text/html')).text();
  }

  async #json(path: string, body?: object): Promise<unknown> {
    return (await this.#fetch(path, 'application/json', body)).json();
  }

  async #send(method: string, path: string, body?: object): Promise<void> {
    await this.#fetch(path, 'application/json', body, method);
  }

  async #fetch(path: string, accept: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Response> {
    const response = await fetch(new URL(path, this.#baseUrl), {
      headers: {
        authorization: `Bearer ${this.#key}`,
        accept,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(30_000)]),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }
}
