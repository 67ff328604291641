/**
 * `npm start [-- --once] [--deep]` starts the whole service with a demo target, audits the target through the public
 * REST API and shows the result. Then it serves until Ctrl-C; with --once it ends, with exit code 0 when the audit
 * completed. `npm start -- <url>` audits an application of this machine instead (dev/local/).
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readersVariables } from './demo/reader.ts';
import { auditLocal } from './local/audit.ts';
import { AuditProgress } from './progress.ts';
import { RestClient, type RestScan } from './rest.ts';
import { ended, runSession, type StackSession } from './session.ts';
import { chainsTable, curlLines, exportLines, findingsTable, gateText } from './summary.ts';

const usage = `Usage: npm start [-- --once] [--deep]
       npm start -- <url> …   audits an application of this machine: npm start -- local --help
  --once  end after the audit instead of serving on
  --deep  audit with logins and chains too`;
/** Between two looks at a scan, the first of them and later ones. */
const pausesMs = { first: 400, later: 1_000 };
const firstLooks = 10;

type Options = { once: boolean; deep: boolean };

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({ options: { once: { type: 'boolean' }, deep: { type: 'boolean' } } });
    return { once: values.once ?? false, deep: values.deep ?? false };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
    return undefined;
  }
}

/** Follows a scan to its end. */
async function follow(client: RestClient, runId: string, signal: AbortSignal): Promise<RestScan> {
  const progress = new AuditProgress(process.stdout);
  try {
    for (let looks = 1; ; looks += 1) {
      const scan = await client.scan(runId);
      progress.show(scan);
      if (!['queued', 'running'].includes(scan.status)) return scan;
      await sleep(looks <= firstLooks ? pausesMs.first : pausesMs.later, undefined, { signal });
    }
  } finally {
    progress.end();
  }
}

async function showResult(
  client: RestClient,
  runId: string,
  { stack, config }: StackSession,
  deep: boolean,
): Promise<void> {
  const [findings, gate, report] = await Promise.all([
    client.findings(runId),
    client.gate(runId),
    client.report(runId),
  ]);
  const folder = join(config.home, 'reports');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${runId}.html`);
  await writeFile(file, report);
  const { gatewayUrl, apiKey, demoUrl } = stack.facts;
  console.log(`
${[findingsTable(findings), ...(deep ? [chainsTable(findings)] : []), gateText(gate)].join('\n\n')}

Report: ${pathToFileURL(file)}
        ${gatewayUrl}/api/v1/scans/${runId}/report (with the key)

${curlLines({ gatewayUrl, apiKey, runId, targetUrl: demoUrl })}
`);
}

/** @returns whether the audit completed */
async function audit(session: StackSession, deep: boolean): Promise<boolean> {
  const { stack, signal } = session;
  const client = new RestClient(stack.facts.gatewayUrl, stack.facts.apiKey, signal);
  const { runId, host } = await client.startScan(stack.facts.demoUrl, deep ? 'deep' : 'standard');
  console.log(`Auditing ${host} (${deep ? 'deep' : 'standard'}, scan ${runId})`);
  const { status, failure } = await follow(client, runId, signal);
  if (status === 'completed') {
    await showResult(client, runId, session, deep);
    return true;
  }
  console.log(`The audit ended as ${status}${failure ? ` (${failure.code}): ${failure.detail}` : '.'}`);
  return false;
}

async function main(options: Options): Promise<number> {
  return runSession(
    process.env,
    (line) => console.log(line),
    async (session) => {
      const completed = await audit(session, options.deep);
      if (options.once) return completed ? 0 : 1;
      if (completed)
        console.log(
          `The commands that the report of a deep audit shows take these:\n\n${exportLines(readersVariables)}\n`,
        );
      console.log(`Serving at ${session.stack.facts.gatewayUrl}. Ctrl-C ends it.`);
      await ended(session.signal);
      return 0;
    },
  );
}

/** An application of the user's own is named first: "local http://localhost:3000/", or just the URL. */
const args = process.argv.slice(2);
const isLocal = args.some((arg) => arg === 'local' || /^https?:\/\//i.test(arg) || /^[\w.-]+:\d+/.test(arg));
if (isLocal) process.exitCode = await auditLocal(args[0] === 'local' ? args.slice(1) : args, process.env);
else {
  const options = readOptions();
  process.exitCode = options ? await main(options) : 2;
}
