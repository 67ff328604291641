/**
 * A process of its own for the score card, so that a case that hangs or crashes takes nothing else with it: starts a
 * case's site, audits it as a worker does, and reports what the check said. Its browser serves all of its cases.
 */

import type { Check } from '../../workflows/checks/contract.ts';
import { loadRegistry } from '../../workflows/checks/registry.ts';
import type { CheckResult } from '../../workflows/checks/run-check.ts';
import { type Audit, check, checkAgain, openAudit, places, testBrowsers } from '../workflows/checks/harness.ts';
import { openOnPorts } from '../workflows/checks/tls/standard-ports.ts';
import type { ScoreCase, Variant } from './case.ts';

/** What is asked for: the names of a file's cases, or a run of one of them. Locations are URLs. */
export type Task =
  | { kind: 'list'; file: string }
  | { kind: 'run'; file: string; checks: string; checkId: string; index: number; variant: Variant };

/** `places` are those of the findings; `reason` says why the check did not end in one. */
export type Judgment = { outcome: string; places: string[]; reason: string; requests: number };
export type Reply = { names: string[] } | { judgment: Judgment } | { error: string };

const browsers = testBrowsers();
const registries = new Map<string, ReturnType<typeof loadRegistry>>();

async function answer(task: Task): Promise<Reply> {
  const { cases }: { cases: ScoreCase[] } = await import(task.file);
  if (task.kind === 'list') return { names: cases.map(({ name }) => name) };
  const registry = registries.get(task.checks) ?? loadRegistry(new URL(task.checks));
  registries.set(task.checks, registry);
  const subject = (await registry).check(task.checkId);
  const scoreCase = cases[task.index];
  if (!subject || !scoreCase) throw new Error(`there is no ${subject ? 'such case' : 'such check'}`);
  const site = await scoreCase.start(task.variant);
  try {
    const audit = await (site.ports ? openOnPorts(site.ports) : openAudit(site.url, { browsers, ...site.options }));
    try {
      const result = await lookAsEach(audit, subject);
      const { kind, reason } = result.outcome;
      return { judgment: { outcome: kind, places: places(result), reason, requests: audit.requests() } };
    } finally {
      await audit.close();
    }
  } finally {
    await site.close();
  }
}

/** Nobody looks first and then each identity, as in a scan, until something is found. */
async function lookAsEach(audit: Audit, subject: Check): Promise<CheckResult> {
  let result = await check(audit, subject);
  const names = subject.visitors === 'each' ? Object.keys(audit.context.identities) : [];
  for (const [index, name] of names.entries()) {
    if (result.findings.length > 0) return result;
    result = await checkAgain(audit, subject, name, names.slice(0, index));
  }
  return result;
}

const errorText = (error: unknown) => (error instanceof Error ? error.message : String(error));

process.on('message', async (task: Task) => {
  const reply: Reply = await answer(task).catch((error: unknown) => ({ error: errorText(error) }));
  process.send?.(reply);
});

process.send?.('ready');

process.once('disconnect', async () => {
  await browsers.close();
  process.exit();
});
