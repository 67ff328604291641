import { z } from 'zod';
import type { ChainStep } from './contract.ts';
import { parseCvss } from './severity.ts';

/** A file of checks/ and what it exports. */
export type ActionFile = { path: string; exported: unknown; exportCount: number; loadError?: string };

const isVector = (vector: string): boolean => {
  try {
    return parseCvss(vector).score >= 0;
  } catch {
    return false;
  }
};
const code = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', 'must be a function');
const text = z.string().trim().min(1);
/** An entry of the catalogue is read at a glance. */
const shortText = text.max(300, 'must have at most 300 characters');

const common = {
  id: z
    .string()
    .regex(
      /^[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/,
      'must be lower-case words, for instance headers.hsts-missing',
    ),
  weakness: text.optional(),
  title: text,
  cwe: z.int().positive(),
  owasp: z.string().regex(/^A\d\d:20\d\d$/, 'must be an OWASP Top 10 category, for instance A02:2025'),
  cvss: z.string().refine(isVector, 'must be a CVSS 3.1 base vector'),
  risk: z.enum(['safe', 'caution']),
  gives: z.object({ kinds: z.array(text).min(1), facts: code }).optional(),
  explain: z.object({
    description: text,
    impact: text,
    sends: shortText,
    proves: shortText,
    remedy: text,
    references: z.array(text).min(1),
  }),
  detect: code,
  confirm: code,
};

const checkSchema = z.object({
  ...common,
  depth: z.enum(['standard', 'deep']),
  cost: z.number().positive().optional(),
  visitors: z.literal('each').optional(),
  triesLogins: z.literal(true).optional(),
  mayLockOut: z.literal(true).optional(),
});

const stepSchema = z.object({
  ...common,
  needs: z.array(z.object({ kind: text, where: z.record(z.string(), z.string()).optional() })).min(1),
  goal: text.optional(),
  cost: z.number().positive(),
});

export const isStep = (path: string): boolean => path.endsWith('.step.ts');

/** What is wrong with these files, one line each; empty when nothing is. */
export function faultsOf(files: readonly ActionFile[]): string[] {
  const faults = files.flatMap((file) => fileFaults(file).map((fault) => `${file.path}: ${fault}`));
  const seen = new Map<string, string>();
  for (const { path, exported } of files) {
    const id = idOf(exported);
    const before = seen.get(id);
    if (id !== '' && before !== undefined) faults.push(`${path}: id ${id} is already that of ${before}`);
    seen.set(id, path);
  }
  return faults.length > 0 ? faults : withoutGiver(files);
}

/** Steps that could never run: nothing gives a fact of a kind that they need. */
function withoutGiver(files: readonly ActionFile[]): string[] {
  const actions = files.map(({ path, exported }) => ({ path, action: exported as Partial<ChainStep> }));
  const given = new Set(actions.flatMap(({ action }) => action.gives?.kinds ?? []));
  return actions.flatMap(({ path, action }) =>
    (action.needs ?? [])
      .filter(({ kind }) => !given.has(kind))
      .map(({ kind }) => `${path}: needs: no check and no step gives the fact "${kind}"`),
  );
}

function fileFaults(file: ActionFile): string[] {
  if (file.loadError !== undefined) return [`could not be loaded: ${file.loadError}`];
  if (file.exportCount !== 1) return [`must have one export, has ${file.exportCount}`];
  const parsed = (isStep(file.path) ? stepSchema : checkSchema).safeParse(file.exported);
  const shape = parsed.error?.issues.map((issue) => `${issue.path.join('.') || 'export'}: ${issue.message}`) ?? [];
  return [...shape, ...placeFaults(file)];
}

/** A check stands where its id says, so that it can be found by it. */
function placeFaults({ path, exported }: ActionFile): string[] {
  const id = idOf(exported);
  if (id === '') return [];
  const { depth, risk, visitors } = exported as { depth?: unknown; risk?: unknown; visitors?: unknown };
  const expected = isStep(path) ? `${id.replace('.', '/')}.step.ts` : `checks/${id.replace('.', '/')}.check.ts`;
  const faults = path === expected ? [] : [`id ${id} belongs in ${expected}`];
  if (!isStep(path) && depth === 'standard' && risk === 'caution')
    faults.push('a check that changes the target must be deep');
  if (visitors !== undefined && depth !== 'standard')
    faults.push('visitors: a deep check chooses its identities by itself');
  return faults;
}

const idOf = (exported: unknown): string => {
  const id = typeof exported === 'object' && exported !== null && 'id' in exported ? exported.id : '';
  return typeof id === 'string' ? id : '';
};
