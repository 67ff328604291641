import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { rpcClients } from '../../kit/rpc.ts';
import { DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { projectFolder } from '../config.ts';
import { RestClient } from '../rest.ts';
import { interruptedCode, runSession, type StackSession } from '../session.ts';
import { chainsTable, findingsTable } from '../summary.ts';
import { loopbackRules } from './loopback.ts';
import { type LocalOptions, localUsage, readLocalOptions } from './options.ts';
import { startAddress } from './start-address.ts';
import { UsageError } from './usage.ts';

/** Audits an application of this machine. @returns the exit code: that of the gate */
export async function auditLocal(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    // npm runs its scripts in the project's folder; files are named from where the user is.
    if (env.INIT_CWD) process.chdir(env.INIT_CWD);
    const options = await readLocalOptions(args);
    if (options === 'help') {
      console.log(localUsage);
      return 0;
    }
    const asked = options.url;
    const url = await startAddress(asked);
    if (url !== asked) console.error(`${asked.href} leads to ${url.href}, which is audited.`);
    const allowed = await loopbackRules(url);
    return await runSession(
      settingsFor(env, allowed),
      (line) => console.error(line),
      (session) => audit(session, { ...options, url }),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`error: ${error.message} Run it with --help for all options.`);
    return 1;
  }
}

/** A service of its own beside one that serves already, with data of its own, on any free ports. */
const settingsFor = (env: NodeJS.ProcessEnv, allowed: readonly string[]): NodeJS.ProcessEnv => ({
  ...{ GATEWAY_PORT: '0', CORE_PORT: '0', TEMPORAL_STORE: 'memory' },
  ...env,
  SCAN_AUDIT_HOME: env.SCAN_AUDIT_HOME || join(projectFolder, '.data', 'local'),
  TARGET_ALLOW: [env.TARGET_ALLOW, ...allowed].filter(Boolean).join(','),
});

async function audit({ stack, signal, atOnce }: StackSession, options: LocalOptions): Promise<number> {
  const { gatewayUrl, apiKey, coreUrl, operatorKey, orgId } = stack.facts;
  const domain = options.url.hostname.replace(/^\[|\]$/g, '');
  const operator = rpcClients({ baseUrl: coreUrl, key: operatorKey });
  // What an audit before was given, and its logins, are gone with the domain.
  await rpcClients({ baseUrl: coreUrl, key: apiKey })(DomainService).deleteDomain({ domain }).catch(unlessUnknown);
  await operator(DomainService).approveDomain({ orgId, domain, includeSubdomains: false });
  const client = new RestClient(gatewayUrl, apiKey, signal);
  // An audit that was killed would go on now, beside this one.
  for (const { runId } of await client.unfinishedScans()) await client.cancelScan(runId);
  await client.putScope(domain, {
    startUrls: options.startUrls,
    excludedPaths: options.excludedPaths,
    documents: options.documents,
    writes: options.writes,
  });
  for (const { name, recipe } of options.logins) await client.putLogin(domain, name, recipe);
  const started = await client.startScan(options.url.href, options.isDeep ? 'deep' : 'standard');
  const child = spawnGate({ gatewayUrl, apiKey }, started.runId, options.gate);
  const exited = once(child, 'exit');
  const cancel = () => {
    console.error('Canceling the scan. Another Ctrl-C does not wait for it.');
    const patient = new RestClient(gatewayUrl, apiKey, atOnce);
    patient.cancelScan(started.runId).catch(() => child.kill('SIGKILL'));
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  atOnce.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  const [code] = await exited;
  if (signal.aborted) return interruptedCode;
  await summarize(client, started.runId, options);
  return typeof code === 'number' ? code : 1;
}

/**
 * The command line shows progress and verdict, and writes the files. It is in a process group of its own: a Ctrl-C is
 * for us, who cancel the scan, and it sees that end.
 */
function spawnGate(
  { gatewayUrl, apiKey }: { gatewayUrl: string; apiKey: string },
  runId: string,
  passedOn: readonly string[],
): ChildProcess {
  return spawn(process.execPath, [join(projectFolder, 'cli/scan-audit.mjs'), 'gate', '--run', runId, ...passedOn], {
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, SCAN_AUDIT_API: gatewayUrl, SCAN_AUDIT_KEY: apiKey },
  });
}

async function summarize(client: RestClient, runId: string, { writes, isDeep }: LocalOptions): Promise<void> {
  const { status } = await client.scan(runId);
  if (status !== 'completed') return;
  const findings = await client.findings(runId);
  console.log(`\n${findingsTable(findings)}`);
  if (isDeep) console.log(`\n${chainsTable(findings)}`);
  const { coverage } = await client.gate(runId);
  const unsent = coverage.limits
    .filter(({ code }) => code === 'would_write' || code === 'not_observed')
    .reduce((sum, { count }) => sum + count, 0);
  if (unsent > 0 && writes !== 'create')
    console.log(
      `\n${unsent} forms and requests were not sent, since they would write. On a copy that may be thrown away, --writes create tests them.`,
    );
}

function unlessUnknown(error: unknown): void {
  if (ConnectError.from(error).code !== Code.NotFound) throw error;
}
