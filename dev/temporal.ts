import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { freePort } from './ports.ts';
import { type RunningProgram, type Spawn, until } from './process.ts';

type TemporalServer = {
  program: RunningProgram;
  /** "127.0.0.1:port" of its gRPC service. */
  address: string;
};

type TemporalOptions = {
  spawn: Spawn;
  /** Path of the Temporal CLI. */
  command: string;
  /** 0 takes any free one. */
  port: number;
  /** SQLite file with the workflows; without one they are in memory. */
  databaseFile?: string;
  logFile: string;
  env: Record<string, string | undefined>;
};

/** Starts Temporal's development server, without its web pages, on a loopback port. */
export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const port = options.port || (await freePort());
  const address = `127.0.0.1:${port}`;
  const program = await options.spawn({
    name: 'Temporal',
    command: options.command,
    args: [
      ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'],
      ...(options.databaseFile ? ['--db-filename', options.databaseFile] : []),
    ],
    env: options.env,
    logFile: options.logFile,
  });
  try {
    await until(program, () => temporalAnswers(address), options.logFile);
    await until(program, () => temporalTakesWork(address), options.logFile);
  } catch (error) {
    await program.stop();
    throw error;
  }
  return { program, address };
}

/**
 * Returns when a server of the user's own serves the namespace.
 * @throws Error after half a minute
 */
export async function awaitTemporal(address: string, namespace: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await temporalAnswers(address, namespace))) {
    if (Date.now() > deadline)
      throw new Error(`No Temporal server with namespace "${namespace}" answers at ${address} (TEMPORAL_ADDRESS).`);
    await sleep(500, undefined, { signal });
  }
}

/** Whether a Temporal server at "host:port" serves the namespace. */
async function temporalAnswers(address: string, namespace = 'default'): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 2_000 });
    try {
      await connection.workflowService.describeNamespace({ namespace });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

/** A server that has just started answers questions some seconds before it starts workflows. */
async function temporalTakesWork(address: string): Promise<boolean> {
  const connection = Connection.lazy({ address });
  const { workflow } = new Client({ connection });
  const options = { workflowId: 'ready', taskQueue: 'ready', workflowIdConflictPolicy: 'USE_EXISTING' } as const;
  try {
    await connection.withDeadline(Date.now() + 5_000, async () => {
      const handle = await workflow.start('ready', options);
      await handle.terminate();
    });
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}
