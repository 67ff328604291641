import type { CommandContext } from '../context.ts';
import { requireWritable, standardOutput, writeResult } from '../output/files.ts';
import { printFinding } from '../output/findings-text.ts';
import { type ExitCode, exitCodes } from '../trouble.ts';
import { type JsonOptions, print, shortTimeoutMs } from './scans.ts';

export type FindingsOptions = JsonOptions & { minSeverity?: string };
export type ReportOptions = JsonOptions & { output?: string };

export async function findings(context: CommandContext, runId: string, options: FindingsOptions): Promise<ExitCode> {
  const { minSeverity } = options;
  const items = await context.api(shortTimeoutMs).findings(runId, { minSeverity });
  print(context, options, items, (out) => {
    if (items.length === 0)
      return out.line(minSeverity ? `No verified finding is ${minSeverity} or worse.` : 'No verified findings.');
    for (const [index, finding] of items.entries()) {
      if (index > 0) out.line();
      printFinding(out, finding);
    }
  });
  return exitCodes.pass;
}

export async function report(context: CommandContext, runId: string, options: ReportOptions): Promise<ExitCode> {
  const file = options.output ?? `scan-audit-report-${runId.replace(/[^\w-]/g, '')}.html`;
  await requireWritable([file]);
  const content = await context.api(shortTimeoutMs).report(runId);
  await writeResult(file, content, context.out.stream);
  const written = { runId, file, bytes: content.byteLength };
  if (file !== standardOutput) print(context, options, written, (out) => out.line(`Wrote the report to ${file}`));
  return exitCodes.pass;
}
