import { join } from 'node:path';
import type { StackConfig } from './config.ts';
import { lockFolder, PrivateFile } from './data-folder.ts';
import { claimPort } from './ports.ts';
import { Programs } from './programs.ts';
import { createDemo, equipDemo, isKeyValid, issueListenerKey } from './provision.ts';
import { loadSecrets, type Secrets, saveSecrets } from './secrets.ts';
import { ProgramRecord } from './state.ts';
import { Supervisor } from './supervisor.ts';

/** What a client of the stack needs; the content of stack.json. */
export type StackFacts = {
  gatewayUrl: string;
  coreUrl: string;
  /** Of the demo's organisation. */
  apiKey: string;
  serviceKey: string;
  operatorKey: string;
  orgId: string;
  demoUrl: string;
  /** PEM file with the authority of the demo's certificate. */
  caFile: string;
  /** Pid of each program by name. */
  pids: Record<string, number>;
};

export type RunningStack = {
  facts: StackFacts;
  /** Rejects when a program does not stay up; never resolves. */
  failed: Promise<never>;
  /** Stops every program in order, and gives the data folder back. */
  stop(): Promise<void>;
};

type StackOptions = {
  config: StackConfig;
  /** Called with what is being waited for. */
  report: (line: string) => void;
  /** Ends the start, and everything that was started. */
  signal: AbortSignal;
  /** Asked to end everything at once instead, while it starts or stops. */
  onSupervisor?: (supervisor: Supervisor) => void;
};

/** Who accepts work stops first; what keeps data, last. */
const stopStages = [['gateway'], ['worker', 'demo'], ['listener'], ['core'], ['temporal', 'postgres']];

/**
 * Starts the whole service and the demo target on loopback ports, with the data of the last time.
 * @throws FolderInUse, PortTaken, ProgramError; what was started is stopped by then
 */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  const { config, report, signal } = options;
  const unlock = await lockFolder(config.home);
  const factsFile = new PrivateFile(join(config.home, 'stack.json'));
  const record = new ProgramRecord(config.home);
  const giveUp = Promise.withResolvers<never>();
  // Nobody may be listening yet, or any more.
  giveUp.promise.catch(() => undefined);
  let facts: StackFacts | undefined;
  const publish = async () => {
    if (facts) await factsFile.write(() => ({ ...facts, pids: supervisor.pids() }));
  };
  const supervisor = new Supervisor({
    record,
    report,
    onRestart: () => void publish().catch(giveUp.reject),
    onGiveUp: giveUp.reject,
  });
  options.onSupervisor?.(supervisor);
  const ending = new AbortController();
  const aborted = rejectOnAbort(ending.signal);
  signal.addEventListener('abort', () => ending.abort(signal.reason), { once: true });
  if (signal.aborted) ending.abort(signal.reason);
  const assembling = assemble({ config, report, record, supervisor, ending });
  const stop = async () => {
    facts = undefined;
    await factsFile.remove();
    await supervisor.stop(stopStages);
    // A start that was interrupted may be between two programs.
    await assembling.catch(() => undefined);
    unlock();
  };
  try {
    await factsFile.remove();
    const assembled = await Promise.race([assembling, aborted]);
    facts = { ...assembled, pids: supervisor.pids() };
    await publish();
    return { facts, failed: giveUp.promise, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}

type Assembling = Pick<StackOptions, 'config' | 'report'> & {
  record: ProgramRecord;
  supervisor: Supervisor;
  /** Aborted when one part fails, so that the others need not be waited for. */
  ending: AbortController;
};

async function assemble({ config, report, record, supervisor, ending }: Assembling): Promise<Omit<StackFacts, 'pids'>> {
  const startedAt = Date.now();
  const left = await record.reap();
  if (left.length > 0) report(`Ended what an earlier start had left running: ${left.join(', ')}.`);
  const secrets = await loadSecrets(config.home);
  const ports = await claimPorts(config.ports);
  const programs = new Programs({ config, ports, secrets, supervisor, report, signal: ending.signal });
  const [demo] = await together(ending, [programs.demo(), programs.temporal(), programs.postgres()]);
  secrets.operatorKey ??= await programs.issueOperatorKey();
  await saveSecrets(config.home, secrets);
  const [core, gateway] = await together(ending, [programs.core(), programs.gateway()]);
  const keys = await equip(core, demo.url, secrets, programs, config);
  const callbackHost = await programs.listener(keys.listenerKey);
  await programs.worker(keys.demo.workerKey, demo, callbackHost);
  report(`Ready in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  return {
    gatewayUrl: gateway,
    coreUrl: core,
    apiKey: keys.demo.apiKey,
    serviceKey: keys.demo.serviceKey,
    operatorKey: keys.operatorKey,
    orgId: keys.demo.orgId,
    demoUrl: demo.url,
    caFile: demo.caFile,
  };
}

/** Like Promise.all, but the first failure aborts the others, and all have ended when this returns. */
async function together<T extends unknown[]>(
  ending: AbortController,
  parts: { [K in keyof T]: Promise<T[K]> },
): Promise<T> {
  for (const part of parts) part.catch((error: unknown) => ending.abort(error));
  await Promise.allSettled(parts);
  return Promise.all(parts);
}

async function claimPorts(wanted: StackConfig['ports']): Promise<StackConfig['ports']> {
  const claimed = { ...wanted };
  for (const [name, setting] of [
    ['gateway', 'GATEWAY_PORT'],
    ['core', 'CORE_PORT'],
    ['postgres', 'POSTGRES_PORT'],
    ['temporal', 'TEMPORAL_PORT'],
    ['demo', 'DEMO_PORT'],
    ['demoDns', 'DEMO_DNS_PORT'],
    ['listener', 'LISTENER_HTTP_PORT'],
  ] as const) {
    claimed[name] = await claimPort(wanted[name], setting);
  }
  return claimed;
}

/** Keys that this database knows, made anew where it does not, and the demo ready to be audited. */
async function equip(core: string, demoUrl: string, secrets: Secrets, programs: Programs, { home }: StackConfig) {
  if (!secrets.operatorKey || !(await isKeyValid(core, secrets.operatorKey))) {
    // Another database than the last time.
    secrets.operatorKey = await programs.issueOperatorKey();
    delete secrets.demo;
  }
  const { operatorKey } = secrets;
  if (!secrets.demo || !(await isKeyValid(core, secrets.demo.apiKey))) {
    secrets.demo = await createDemo(core, operatorKey);
  }
  if (!secrets.listenerKey || !(await isKeyValid(core, secrets.listenerKey)))
    secrets.listenerKey = await issueListenerKey(core, operatorKey);
  await saveSecrets(home, secrets);
  await equipDemo({ baseUrl: core, demoUrl, operatorKey, demo: secrets.demo });
  return { operatorKey, listenerKey: secrets.listenerKey, demo: secrets.demo };
}
