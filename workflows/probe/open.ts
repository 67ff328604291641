import type { Logger } from '../../kit/logger.ts';
import type { BudgetShare } from '../model/budget.ts';
import type { Licence } from '../model/gate.ts';
import type { HeaderList, HttpProbe } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { Probes } from '../model/probes.ts';
import type { Obstruction } from '../model/tasks.ts';
import { createBrowserProbe } from './browser/browser.ts';
import type { BrowserPool } from './browser/launch.ts';
import { createSharedFiles } from './browser/shared-files.ts';
import { createBudget } from './budget/budget.ts';
import { createDnsProbe } from './dns/probe.ts';
import { createGate, type Gate, type GateSettings } from './gate/gate.ts';
import { createGuard, type GuardSettings } from './guard/guard.ts';
import { createBlockWatch } from './http/block-watch.ts';
import type { KeptAnswers } from './http/cache.ts';
import { createLiveness } from './http/closed.ts';
import { createHttpProbe } from './http/http.ts';
import { createPool } from './http/pool.ts';
import { createSend } from './http/sender.ts';
import { withPostedQueries } from './posted-queries.ts';
import { createQuiet } from './quiet.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { scopeOf } from './scope.ts';
import { createSmtpProbe } from './smtp/smtp.ts';
import { createTlsProbe } from './tls/tls.ts';
import { createTrust, type Trust } from './tls/trust.ts';

export type ProbesOptions = {
  runId: string;
  /** URL that is audited. Its host, and its port when it names one, are the scope. */
  target: string;
  share: BudgetShare;
  guard: GuardSettings;
  /** Canceling closes every socket at once. */
  signal: AbortSignal;
  logger: Logger;
  /** The worker's browser; without one the checks that need it are reported as not run. */
  browsers?: BrowserPool;
  /** Made once for a worker; browsers' and the system's authorities by default. */
  trust?: Trust;
  /** Prefixes of paths that nothing is sent to, whatever asks for them. */
  excludedPaths?: readonly string[];
  /** Sent with every https request to the audited host. Their values are secret. */
  extraHeaders?: HeaderList;
  /** Sends them over plain http, too. False by default. */
  headersOverHttp?: boolean;
  /** What other activities were answered, and what this one is; its own by default. */
  kept?: KeptAnswers;
  /** What the write gate goes by; a standard scan that may write what it undoes by default. */
  gate?: GateSettings;
};

/** The instruments of one activity. */
export type OpenProbes = Probes & {
  recorder: Recorder;
  /** Decides on every request. */
  gate: Gate;
  /** The HTTP instrument of a part of the engine that may send more than checks may. Never part of a check's context. */
  licensed(licence: Licence): HttpProbe;
  requests(): number;
  /** The org's own headers; the values must not be stored anywhere, whoever is logged in. */
  scopeHeaders: HeaderList;
  /** Those of them that go with a request to this URL. */
  scopeHeadersFor(url: string): HeaderList;
  /** What came between this scan and the target so far. */
  obstruction(): Obstruction;
  close(): Promise<void>;
};

/** Opens the instruments for one activity; all of them share its budget, its connections and its scope. */
export function openProbes(options: ProbesOptions): OpenProbes {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const scope = scopeOf(options.target, options.excludedPaths);
  const guard = createGuard(options.guard);
  const budget = createBudget(options.share);
  const recorder = createRecorder();
  const pool = createPool(guard, budget.connections);
  const blocks = createBlockWatch(budget.refused);
  const gate = createGate(options.gate ?? { depth: 'standard', writes: 'reversible' });
  const send = createSend({ scope, gate, budget, pool, recorder });
  signal.addEventListener('abort', () => pool.destroy(), { once: true });
  const { runId, logger, browsers, extraHeaders = [], headersOverHttp = false, trust = createTrust() } = options;
  const scopeHeadersFor = (url: string) => (headersOverHttp || isEncrypted(url) ? extraHeaders : []);
  gate.noteSession(sessionsIn(extraHeaders), 'user');
  const shared = { runId, scope, guard, budget, recorder, send, gate, signal, scopeHeadersFor, logger };
  const posting = new Set<string>();
  const overHttp = { ...shared, blocks, isAlive: createLiveness(send) };
  return {
    http: withPostedQueries(createHttpProbe({ ...overHttp, ...(options.kept && { kept: options.kept }) }), posting),
    tls: createTlsProbe({ ...shared, trust }),
    dns: createDnsProbe({ ...shared, server: options.guard.dnsServer, anchors: options.guard.dnsAnchors }),
    smtp: createSmtpProbe({ ...shared, port: options.guard.mailPort }),
    browser: createBrowserProbe({ ...shared, blocks, browsers, files: createSharedFiles() }),
    quiet: createQuiet(),
    recorder,
    gate,
    licensed: (licence) => withPostedQueries(createHttpProbe({ ...overHttp, licence }), posting),
    requests: budget.requests,
    scopeHeaders: extraHeaders,
    scopeHeadersFor,
    obstruction: () => ({ blocked: blocks.blocked(), by: blocks.by(), slowed: budget.slowedDown() }),
    async close() {
      stop.abort(new ProbeError('canceled', 'the instruments were closed'));
    },
  };
}

/** Nobody on the way can read what is sent there. */
const isEncrypted = (url: string): boolean => /^(?:https|wss):/i.test(url);

/** An org that sends a session along with every request has the whole scan look as a user. */
const sessionsIn = (headers: HeaderList): string[] =>
  headers.flatMap(([name, value]) => (/^(?:cookie|authorization)$/i.test(name) ? [value] : []));
