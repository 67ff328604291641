import { ApiRefusal } from '../api/problem.ts';
import type { ScansApi } from '../api/scans.ts';
import type { FindingBody, GateBody, ScanBody } from '../api/schemas.ts';
import type { CommandContext } from '../context.ts';
import { requireWritable, standardOutput, writeResult } from '../output/files.ts';
import { printGate } from '../output/gate-text.ts';
import { type GateResult, junitXml } from '../output/junit.ts';
import { type ExitCode, exitCodes, Interrupted, OutOfTime, Trouble } from '../trouble.ts';
import { isFinished, waitForEnd } from '../wait.ts';
import { filesOf, findBaseline, type GateOptions, measureOf, timeoutSecondsOf } from './gate-options.ts';

/** When the time is up, the verdict as it is then may still be asked for. */
const lastLookMs = 10_000;

/**
 * Starts a scan, or takes one, waits for its end, or until something blocks, and answers with the gate's verdict.
 * @throws Trouble
 */
export async function gate(context: CommandContext, url: string | undefined, options: GateOptions): Promise<ExitCode> {
  await requireWritable(filesOf(options));
  const timeoutMs = 1_000 * timeoutSecondsOf(options);
  const deadlineMs = performance.now() + timeoutMs;
  const api = context.api(timeoutMs);
  const baseline = await findBaseline(api, options);
  const runId = options.run ?? (await start(context, api, url ?? '', options));
  try {
    const scan = await waitForEnd(api, runId, { ...context, deadlineMs, isDecided: earlyVerdict(api, runId, options) });
    if (!isFinished(scan)) context.err.line(goesOn(runId));
    return await finish(context, api, await measure(api, scan, options, baseline), options);
  } catch (error) {
    if (error instanceof Interrupted) throw new Interrupted(`Interrupted. ${goesOn(runId)}`);
    if (error instanceof OutOfTime) return lateVerdict(context, runId, { options, baseline, outOfTime: error });
    throw error;
  }
}

/** Whether the verdict is known before the end; undefined when it waits for that. */
function earlyVerdict(api: ScansApi, runId: string, options: GateOptions): (() => Promise<boolean>) | undefined {
  if (options.until !== 'verdict') return undefined;
  return async () => (await api.gate(runId, measureOf(options))).verdict !== 'pending';
}

async function start({ err }: CommandContext, api: ScansApi, url: string, { deep }: GateOptions): Promise<string> {
  const depth = deep ? 'deep' : 'standard';
  try {
    const { runId, host } = await api.start(url, depth);
    err.line(`Started a ${depth} scan of ${host}: ${runId}`);
    return runId;
  } catch (error) {
    if (error instanceof Interrupted || error instanceof OutOfTime)
      throw new Trouble(`${error.message} The scan may have been started: see "scan-audit scans list".`);
    throw error;
  }
}

async function measure(
  api: ScansApi,
  scan: ScanBody,
  options: GateOptions,
  baseline: ScanBody | undefined,
): Promise<GateResult> {
  const verdict = await api.gate(scan.runId, measureOf(options));
  return { scan, gate: verdict, findings: await findingsFor(api, scan, verdict, options), baseline };
}

/** Those that block come with the gate; what to do about them, and the others, with the list. */
async function findingsFor(
  api: ScansApi,
  scan: ScanBody,
  verdict: GateBody,
  { junit, json }: GateOptions,
): Promise<FindingBody[]> {
  if (scan.status !== 'completed') return [];
  if (junit !== undefined || json !== undefined) return api.findings(scan.runId);
  return verdict.verdict === 'fail' ? api.findings(scan.runId, { minSeverity: verdict.threshold }) : [];
}

async function finish(
  context: CommandContext,
  api: ScansApi,
  result: GateResult,
  options: GateOptions,
): Promise<ExitCode> {
  const { out, err } = context;
  printGate(filesOf(options).includes(standardOutput) ? err : out, result);
  const code = exitCodeOf(result.gate);
  try {
    await writeFiles(context, api, result, options);
    return code;
  } catch (error) {
    // What was found blocks, whether or not every file was written.
    if (code !== exitCodes.fail || !(error instanceof Trouble)) throw error;
    err.line(`error: ${error.message}`);
    return code;
  }
}

function exitCodeOf({ verdict }: GateBody): ExitCode {
  if (verdict === 'pass') return exitCodes.pass;
  return verdict === 'fail' ? exitCodes.fail : exitCodes.trouble;
}

async function writeFiles({ out, err }: CommandContext, api: ScansApi, result: GateResult, options: GateOptions) {
  const { scan, gate: verdict, findings } = result;
  const write = (file: string | undefined, content: string | Uint8Array) =>
    file === undefined ? undefined : writeResult(file, content, out.stream);
  await write(options.json, `${JSON.stringify({ gate: verdict, scan, findings }, undefined, 2)}\n`);
  await write(options.junit, junitXml(result));
  for (const [file, fetchIt] of [
    [options.sarif, () => api.sarif(scan.runId)],
    [options.html, () => api.report(scan.runId)],
  ] as const) {
    if (file === undefined) continue;
    if (scan.status === 'completed') await write(file, await fetchIt());
    else err.line(`warning: ${file} was not written: the scan is ${scan.status}, so it has no results.`);
  }
}

/** The time is up. What was found until now may block already; if not, there is no verdict. */
async function lateVerdict(
  context: CommandContext,
  runId: string,
  { options, baseline, outOfTime }: { options: GateOptions; baseline: ScanBody | undefined; outOfTime: OutOfTime },
): Promise<ExitCode> {
  const left = new OutOfTime(`${outOfTime.message} ${goesOn(runId)} Allow more with --timeout.`);
  const api = context.api(lastLookMs);
  try {
    const result = await measure(api, await api.get(runId), { ...options, until: 'verdict' }, baseline);
    if (result.gate.verdict !== 'fail') throw left;
    context.err.line(`warning: ${left.message}`);
    return await finish(context, api, result, options);
  } catch (error) {
    throw error instanceof ApiRefusal || error instanceof OutOfTime ? left : error;
  }
}

const goesOn = (runId: string) =>
  `The scan goes on: cancel it with "scan-audit scans cancel ${runId}", or take its verdict later with "scan-audit gate --run ${runId}".`;
