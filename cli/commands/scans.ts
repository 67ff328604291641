import type { ScanBody } from '../api/schemas.ts';
import type { CommandContext, CommonOptions } from '../context.ts';
import { printOmissions } from '../output/findings-text.ts';
import { countsText, failureText } from '../output/words.ts';
import { type Printer, styled, table } from '../terminal.ts';
import { type ExitCode, exitCodes, Interrupted, OutOfTime } from '../trouble.ts';
import { waitForEnd } from '../wait.ts';

export type JsonOptions = CommonOptions & { json?: boolean };
export type ListOptions = JsonOptions & { limit: number; status?: string; host?: string; depth?: string };
export type WatchOptions = JsonOptions & { timeout?: number };

/** For commands that ask a few questions and end, pauses that the service asks for included. */
export const shortTimeoutMs = 120_000;

/** Results as JSON, or as text for people. */
export function print<T>(
  { out }: CommandContext,
  { json }: JsonOptions,
  value: T,
  text: (printer: Printer) => void,
): void {
  if (json) out.stream.write(`${JSON.stringify(value, undefined, 2)}\n`);
  else text(out);
}

export async function list(context: CommandContext, options: ListOptions): Promise<ExitCode> {
  const { limit, status, host, depth } = options;
  const scans = await context.api(shortTimeoutMs).list({ status, host, depth }, limit);
  print(context, options, scans, (out) => {
    if (scans.length === 0) return out.line('There are no such scans.');
    const rows = scans.map((scan) => [
      scan.runId,
      scan.status,
      scan.depth,
      scan.createdAt.slice(0, 16).replace('T', ' '),
      scan.host,
      countsText(scan.severity),
    ]);
    for (const row of table([['RUN ID', 'STATUS', 'DEPTH', 'CREATED (UTC)', 'HOST', 'FINDINGS'], ...rows]))
      out.line(row);
  });
  return exitCodes.pass;
}

export async function show(context: CommandContext, runId: string, options: JsonOptions): Promise<ExitCode> {
  const scan = await context.api(shortTimeoutMs).get(runId);
  print(context, options, scan, (out) => printScan(out, scan));
  return exitCodes.pass;
}

/** Exit code 0 when the scan has completed, and 1 when it ended otherwise. */
export async function watch(context: CommandContext, runId: string, options: WatchOptions): Promise<ExitCode> {
  const timeoutMs = options.timeout === undefined ? Number.POSITIVE_INFINITY : options.timeout * 1_000;
  const deadlineMs = performance.now() + timeoutMs;
  try {
    const scan = await waitForEnd(context.api(timeoutMs), runId, { ...context, deadlineMs });
    print(context, options, scan, (out) => printScan(out, scan));
    return scan.status === 'completed' ? exitCodes.pass : exitCodes.trouble;
  } catch (error) {
    const goesOn = `The scan goes on: cancel it with "scan-audit scans cancel ${runId}"`;
    if (error instanceof Interrupted) throw new Interrupted(`Interrupted. ${goesOn}.`);
    if (error instanceof OutOfTime) throw new OutOfTime(`${error.message} ${goesOn}, or allow more with --timeout.`);
    throw error;
  }
}

export async function cancel(context: CommandContext, runId: string, options: JsonOptions): Promise<ExitCode> {
  const scan = await context.api(shortTimeoutMs).cancel(runId);
  print(context, options, scan, (out) =>
    out.line(
      scan.status === 'canceled'
        ? `Canceled scan ${scan.runId} of ${scan.host}.`
        : `Scan ${scan.runId} of ${scan.host} is being canceled: it ends within seconds.`,
    ),
  );
  return exitCodes.pass;
}

function printScan(out: Printer, scan: ScanBody): void {
  const { coverage } = scan;
  const lines: [string, string][] = [
    ['scan', scan.runId],
    ['target', scan.url],
    ['depth', scan.depth],
    [
      'status',
      scan.status === 'running' ? `running, ${scan.phase}, ${Math.floor(scan.progress * 100)} %` : scan.status,
    ],
    ['created', scan.createdAt],
    ['started', scan.startedAt ?? ''],
    ['finished', scan.finishedAt ?? ''],
    ['findings', countsText(scan.severity)],
    ['coverage', coverage.summary || (scan.finishedAt ? 'not complete' : '')],
    ['requests', String(scan.requests)],
    ['credits', String(scan.credits)],
  ];
  for (const [name, value] of lines.filter(([, value]) => value !== ''))
    out.line(styled('dim', name.padEnd(10)), value);
  if (scan.status === 'completed') printOmissions(out, scan);
  const failure = failureText(scan);
  if (failure !== undefined) out.line(failure);
}
