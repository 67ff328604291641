import { existsSync } from 'node:fs';
import type { Check } from '../../workflows/checks/contract.ts';
import { loadRegistry, type Registry } from '../../workflows/checks/registry.ts';
import type { Row } from './card.ts';
import { variants } from './case.ts';
import type { Judgment, Reply } from './judge.ts';
import { createJudge, type Judge } from './judge-process.ts';

type ScoreOptions = {
  /** Folder with the checks. */
  checks: URL;
  /** Folder with a file of cases for each of them. */
  cases: URL;
  /** Parts of "<depth>/<id>"; any may match, and none means every check. */
  filters: string[];
  /** For one case in one of its variants. */
  timeoutMs: number;
  /** How many checks are looked at side by side. */
  width: number;
};

/** Runs checks on their cases. Rows come in the order of the registry. */
export async function score(options: ScoreOptions): Promise<Row[]> {
  const wanted = checksOf(await loadRegistry(options.checks)).filter(({ depth, id }) => {
    const { filters } = options;
    return filters.length === 0 || filters.some((part) => `${depth}/${id}`.includes(part));
  });
  const rows: Row[] = [];
  const queue = wanted.entries();
  const runNext = async () => {
    const judge = createJudge();
    try {
      for (const [index, check] of queue) rows[index] = await rowOf(check, judge, options);
    } finally {
      await judge.close();
    }
  };
  await Promise.all(Array.from({ length: options.width }, runNext));
  return rows;
}

const checksOf = ({ families }: Registry): Check[] => families.flatMap(({ checks }) => checks);

async function rowOf({ depth, id }: Check, judge: Judge, options: ScoreOptions): Promise<Row> {
  const [family = '', name = ''] = id.split('.');
  const row: Row = {
    family: depth === 'deep' ? `deep/${family}` : family,
    check: name,
    cases: 0,
    found: 0,
    false: 0,
    requests: 0,
    seconds: 0,
    faults: [],
  };
  const file = new URL(`${depth}/${family}/${name}.ts`, options.cases);
  if (!existsSync(file)) return row;
  const startedAt = performance.now();
  const listed = await judge.ask({ kind: 'list', file: file.href }, options.timeoutMs);
  if (!('names' in listed)) return { ...row, faults: [`its cases cannot be read: ${errorOf(listed)}`] };
  row.cases = listed.names.length;
  const checks = options.checks.href;
  for (const [index, caseName] of listed.names.entries()) {
    for (const variant of variants) {
      const task = { kind: 'run' as const, file: file.href, checks, checkId: id, index, variant };
      count(row, caseName, variant, await judge.ask(task, options.timeoutMs));
    }
  }
  row.seconds = (performance.now() - startedAt) / 1000;
  return row;
}

/** What gave no answer counts against the check: a weakness as missed, a mended site as reported. */
function count(row: Row, caseName: string, variant: (typeof variants)[number], reply: Reply): void {
  const judgment: Judgment =
    'judgment' in reply ? reply.judgment : { outcome: 'error', places: [], reason: errorOf(reply), requests: 0 };
  row.requests += judgment.requests;
  if (variant === 'vulnerable') {
    if (judgment.outcome === 'found') row.found += 1;
    else row.faults.push(`missed on "${caseName}": ${saidOf(judgment)}`);
  } else if (!['clean', 'not-applicable'].includes(judgment.outcome)) {
    row.false += 1;
    row.faults.push(`false on "${caseName}": ${saidOf(judgment)}`);
  }
}

const errorOf = (reply: Reply): string => ('error' in reply ? reply.error : 'no answer');
const saidOf = ({ outcome, places, reason }: Judgment): string =>
  [outcome, ...places, reason].filter((word) => word !== '').join(', ');
