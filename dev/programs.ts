import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { nodeFlags } from '../kit/node-flags.ts';
import { sandboxFault } from './browser-sandbox.ts';
import { type Environment, projectFolder, type StackConfig } from './config.ts';
import { appRole, createDatabase, createRoles, databaseUrl, ownerRole, startPostgres } from './postgres.ts';
import { type RunningProgram, readyLine } from './process.ts';
import type { Secrets } from './secrets.ts';
import type { Supervisor } from './supervisor.ts';
import { awaitTemporal, startTemporal } from './temporal.ts';
import { findTemporal } from './temporal-program.ts';

const database = 'scan_audit';

type ProgramsOptions = {
  config: StackConfig;
  /** Chosen ports; none is 0. */
  ports: StackConfig['ports'];
  secrets: Secrets;
  supervisor: Supervisor;
  report: (line: string) => void;
  signal: AbortSignal;
};

const DemoReady = z.object({ ready: z.literal('demo'), url: z.url(), caFile: z.string(), dnsServer: z.string() });

/** Where the demo target answers, the authority that its certificate comes from, and the name server with its records. */
type DemoTarget = Pick<z.infer<typeof DemoReady>, 'url' | 'caFile' | 'dnsServer'>;

/** Starts each program of the stack with its settings. Each method returns when the program is ready. */
export class Programs {
  readonly #options: ProgramsOptions;

  constructor(options: ProgramsOptions) {
    this.#options = options;
  }

  async postgres(): Promise<void> {
    const { config, ports, secrets, supervisor, report } = this.#options;
    if (config.database) return report('Using the PostgreSQL of DATABASE_URL.');
    report('Starting PostgreSQL …');
    const { superuser, ...roles } = secrets.postgres;
    const { superuserUrl } = await supervisor.keep('postgres', () =>
      startPostgres({
        spawn: supervisor.spawn,
        folder: join(config.home, 'postgres'),
        port: ports.postgres,
        password: superuser,
        logFile: this.#log('postgres'),
        env: this.#systemEnv(),
        durable: true,
      }),
    );
    await createRoles(superuserUrl, roles);
    await createDatabase(superuserUrl, database);
  }

  async temporal(): Promise<void> {
    const { config, ports, supervisor, report, signal } = this.#options;
    if (config.temporal) {
      const { address, namespace } = config.temporal;
      report(`Waiting for the Temporal server at ${address} (namespace "${namespace}") …`);
      return awaitTemporal(address, namespace, signal);
    }
    const command = await findTemporal({ env: config.env, report, signal });
    const folder = await this.#folder('temporal');
    report('Starting Temporal …');
    await supervisor.keep('temporal', () =>
      startTemporal({
        spawn: supervisor.spawn,
        command,
        port: ports.temporal,
        ...(config.temporalInMemory ? {} : { databaseFile: join(folder, 'workflows.db') }),
        logFile: this.#log('temporal'),
        env: this.#systemEnv(),
      }),
    );
  }

  async demo(): Promise<DemoTarget> {
    const { ports } = this.#options;
    const ready = await this.#keep('demo', 'dev/demo/main.ts', {
      DEMO_PORT: String(ports.demo),
      DEMO_DNS_PORT: String(ports.demoDns),
      DEMO_HOME: await this.#folder('demo'),
    });
    return DemoReady.parse(ready);
  }

  /** @returns a new operator key; the database is migrated by then */
  async issueOperatorKey(): Promise<string> {
    const { supervisor, report } = this.#options;
    report('Preparing the database …');
    const program = await supervisor.spawn(
      this.#node('core/main.ts', 'core', this.#coreSettings(), ['issue-operator-key']),
    );
    const { code } = await program.exited;
    const key = await program.firstLine;
    if (code === 0 && key) return key;
    throw new Error(`The first operator key could not be issued: see ${this.#log('core')}.`);
  }

  /** @returns core's URL */
  async core(): Promise<string> {
    await this.#keep('core', 'core/main.ts', this.#coreSettings());
    return this.#coreUrl();
  }

  /** @returns the gateway's URL */
  async gateway(): Promise<string> {
    const { ports } = this.#options;
    await this.#keep('gateway', 'gateway/main.ts', { CORE_URL: this.#coreUrl(), GATEWAY_PORT: String(ports.gateway) });
    return `http://127.0.0.1:${ports.gateway}`;
  }

  /** @returns where it is called */
  async listener(key: string): Promise<string> {
    const { config, ports, secrets } = this.#options;
    await this.#keep('listener', 'listener/main.ts', {
      CORE_URL: this.#coreUrl(),
      LISTENER_KEY: key,
      LISTENER_HOST: config.env.LISTENER_HOST || '127.0.0.1',
      LISTENER_HTTP_PORT: String(ports.listener),
      CALLBACK_SECRET: secrets.callbackSecret,
    });
    return config.env.CALLBACK_HOST || `127.0.0.1:${ports.listener}`;
  }

  async worker(workerKey: string, demo: DemoTarget, callbackHost: string): Promise<void> {
    const { env, home } = this.#options.config;
    const BROWSER_SANDBOX = env.BROWSER_SANDBOX || (await this.#sandbox());
    const demoOnLoopback = ['shop.localhost=127.0.0.0/8', '*.shop.localhost=127.0.0.0/8'];
    await this.#keep('worker', 'workflows/main.ts', {
      CORE_URL: this.#coreUrl(),
      WORKER_KEY: workerKey,
      CALLBACK_HOST: callbackHost,
      CALLBACK_SECRET: this.#options.secrets.callbackSecret,
      ...this.#temporalSettings(),
      TARGET_ALLOW: [env.TARGET_ALLOW, ...demoOnLoopback].filter(Boolean).join(','),
      // It passes questions about other names on, to a DNS_SERVER of the user's own where there is one.
      DNS_SERVER: demo.dnsServer,
      EXTRA_CA_FILE: env.EXTRA_CA_FILE ? await concatenate([demo.caFile, env.EXTRA_CA_FILE], home) : demo.caFile,
      // Loopback targets bear more than a stranger's site.
      REQUESTS_PER_SECOND: env.REQUESTS_PER_SECOND || '500',
      BROWSER_SANDBOX,
      // The demo needs nothing from elsewhere.
      LIBRARY_DATA_URL: env.LIBRARY_DATA_URL || 'off',
    });
  }

  /** The demo's pages are our own, so its browser may do without a sandbox where there is none; it is said aloud. */
  async #sandbox(): Promise<'on' | 'off'> {
    const fault = await sandboxFault();
    if (fault === undefined) return 'on';
    this.#options.report(
      `WARNING: the browser runs WITHOUT ITS SANDBOX (BROWSER_SANDBOX=off), since ${fault}. That is enough for the demo: do not audit sites of others with this stack.`,
    );
    return 'off';
  }

  #coreUrl(): string {
    return `http://127.0.0.1:${this.#options.ports.core}`;
  }

  #coreSettings(): Environment {
    const { config, ports, secrets } = this.#options;
    const { owner, app } = secrets.postgres;
    return {
      DATABASE_URL: config.database?.url ?? databaseUrl(appRole, app, ports.postgres, database),
      DATABASE_OWNER_URL: config.database?.ownerUrl ?? databaseUrl(ownerRole, owner, ports.postgres, database),
      CORE_HOST: '127.0.0.1',
      CORE_PORT: String(ports.core),
      ENCRYPTION_KEYS: secrets.encryptionKeys,
      ...this.#temporalSettings(),
    };
  }

  #temporalSettings(): Environment {
    const { config, ports } = this.#options;
    return {
      TEMPORAL_ADDRESS: config.temporal?.address ?? `127.0.0.1:${ports.temporal}`,
      TEMPORAL_NAMESPACE: config.temporal?.namespace ?? 'default',
    };
  }

  /** Keeps one of our programs running. @returns its ready line */
  async #keep(name: string, file: string, settings: Environment): Promise<Record<string, unknown>> {
    const { supervisor, report } = this.#options;
    report(`Starting the ${name} …`);
    const start = async (): Promise<{ program: RunningProgram; ready: Record<string, unknown> }> => {
      const program = await supervisor.spawn(this.#node(file, name, settings));
      try {
        return { program, ready: await readyLine(program, this.#log(name)) };
      } catch (error) {
        await program.stop();
        throw error;
      }
    };
    return (await supervisor.keep(name, start)).ready;
  }

  #node(file: string, name: string, settings: Environment, args: string[] = []) {
    return {
      name,
      command: process.execPath,
      args: [...nodeFlags(file), join(projectFolder, file), ...args],
      env: { ...this.#options.config.env, OPERATIONS_PORT: '0', ...settings },
      cwd: projectFolder,
      logFile: this.#log(name),
    };
  }

  /** A folder of the data folder that only its owner may enter. */
  async #folder(name: string): Promise<string> {
    const folder = join(this.#options.config.home, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  #log(name: string): string {
    return join(this.#options.config.home, 'logs', `${name}.log`);
  }

  /** For programs that are not ours: nothing that could be taken for one of their own settings. */
  #systemEnv(): Environment {
    const { PATH, HOME, TMPDIR } = this.#options.config.env;
    return { PATH, HOME, TMPDIR };
  }
}

/** One PEM file with the content of several. */
async function concatenate(files: string[], folder: string): Promise<string> {
  const pems = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const file = join(folder, 'authorities.pem');
  await writeFile(file, pems.join('\n'));
  return file;
}
