import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { readJson } from '../../kit/json.ts';
import { Interrupted, OutOfTime, Trouble } from '../trouble.ts';
import { version } from '../version.ts';
import { type ApiRefusal, readRefusal } from './problem.ts';
import { askedWaitMs, isLost, lostPauseMs, mayPass, networkCode } from './retry.ts';

type ClientOptions = {
  /** For instance "https://audit.example.com". */
  apiUrl: string;
  key: string;
  /** Ends everything: the user interrupts. */
  signal: AbortSignal;
  /** Moment of performance.now() after which nothing is waited for. */
  deadlineMs: number;
  /** Called with each pause before a further try. */
  onPause(text: string): void;
};

type Call = {
  method?: 'GET' | 'POST';
  /** With its query, below the API's address. */
  path: string;
  accept?: string;
  body?: object;
  idempotencyKey?: string;
};

/** One answer may take this long. */
const answerTimeoutMs = 30_000;
/** Between two tries, so that a Retry-After of 0 makes no flood. */
const minPauseMs = 200;

/** The REST API. Every call may be sent several times, so each is one that changes nothing when it is repeated. */
export class Client {
  readonly #options: ClientOptions;
  #hasAnswered = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** @throws Trouble when the answer has another shape, too */
  async json<S extends z.ZodType>(schema: S, call: Call): Promise<z.infer<S>> {
    const text = new TextDecoder().decode(await this.bytes({ ...call, accept: 'application/json' }));
    const parsed = schema.safeParse(readJson(text));
    if (parsed.success) return parsed.data;
    throw new Trouble(`${this.#options.apiUrl} answered ${call.path} in a form that is not this API's: check --api.`);
  }

  /** The body of a success. @throws Refused, OutOfTime, Interrupted, Trouble */
  async bytes(call: Call): Promise<Uint8Array> {
    for (let losses = 0; ; ) {
      const outcome = await this.#send(call);
      if ('body' in outcome) return outcome.body;
      losses = outcome.isLost ? losses + 1 : 0;
      const pauseMs = outcome.isLost ? lostPauseMs(losses) : outcome.waitMs;
      if (pauseMs === undefined) throw outcome.trouble;
      await this.#pause(Math.max(pauseMs, minPauseMs), outcome.trouble);
    }
  }

  async #send(call: Call): Promise<{ body: Uint8Array } | Failure> {
    const { signal, apiUrl } = this.#options;
    try {
      const answer = await this.#fetch(call);
      this.#hasAnswered = true;
      if (answer.ok) return { body: new Uint8Array(await answer.arrayBuffer()) };
      const refused = await readRefusal(answer, apiUrl);
      return { trouble: refused, isLost: isLost(answer.status), waitMs: askedWaitMs(answer, refused.code) };
    } catch (error) {
      if (signal.aborted) throw new Interrupted('Interrupted.');
      if (this.#leftMs() <= 0) throw new OutOfTime(`The time was up before ${apiUrl} answered.`);
      // What fetch fails with; anything else is a fault of ours.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      const code = error instanceof DOMException ? error.name : networkCode(error);
      return {
        trouble: new Trouble(unreachable(apiUrl, code)),
        isLost: mayPass(code, this.#hasAnswered),
        waitMs: undefined,
      };
    }
  }

  #fetch({ method = 'GET', path, accept = '*/*', body, idempotencyKey }: Call): Promise<Response> {
    const { apiUrl, key, signal } = this.#options;
    const timeoutMs = Math.ceil(Math.max(1, Math.min(answerTimeoutMs, this.#leftMs())));
    return fetch(`${apiUrl}${path}`, {
      method,
      // A key is not carried on to where a redirect leads.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: {
        accept,
        authorization: `Bearer ${key}`,
        'user-agent': `scan-audit-cli/${version}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  #leftMs(): number {
    return this.#options.deadlineMs - performance.now();
  }

  async #pause(ms: number, trouble: Trouble): Promise<void> {
    const { signal, onPause, apiUrl } = this.#options;
    const seconds = Math.ceil(ms / 1_000);
    if (ms > this.#leftMs())
      throw new OutOfTime(
        `${apiUrl} is to be asked again in ${seconds} s, and that is after the time is up. ${trouble.message}`,
      );
    onPause(`${trouble.message} Trying again in ${seconds} s.`);
    await sleep(ms, undefined, { signal }).catch(() => {
      throw new Interrupted('Interrupted.');
    });
  }
}

type Failure = {
  trouble: Trouble | ApiRefusal;
  /** The answer was lost: the request may be sent again, a few times. */
  isLost: boolean;
  /** The answer asks to send the request again, after this long. */
  waitMs: number | undefined;
};

function unreachable(apiUrl: string, code: string): string {
  if (code === 'TimeoutError')
    return `${apiUrl} does not answer: check the address, and that this machine may reach it.`;
  if (code === 'ENOTFOUND') return `${new URL(apiUrl).hostname} is not known to DNS: check the address in --api.`;
  if (code === 'ECONNREFUSED')
    return `Nothing answers at ${apiUrl}: check the address in --api, and that the service runs.`;
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return `The certificate of ${apiUrl} is not trusted (${code}): name your authority's file in NODE_EXTRA_CA_CERTS.`;
  return `${apiUrl} cannot be reached${code === '' ? '' : ` (${code})`}: check the address and the network.`;
}
