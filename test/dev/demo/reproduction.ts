import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Demo, startDemo } from '../../../dev/demo/demo.ts';
import { type IdentityName, identities } from '../../../dev/demo/identities.ts';
import type { Proof } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Prover } from '../../../workflows/checks/confirm.ts';
import { loadRegistry, type Registry } from '../../../workflows/checks/registry.ts';
import { runCheck } from '../../../workflows/checks/run-check.ts';
import type { Experiment } from '../../../workflows/model/experiment.ts';
import type { Fact } from '../../../workflows/model/fact.ts';
import type { PlanState } from '../../../workflows/model/plan-state.ts';
import { actStep } from '../../../workflows/planner/act.ts';
import { emptyState, plan } from '../../../workflows/planner/plan.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { prove } from '../../../workflows/proof/prove.ts';
import { newCapturedValues, type TrialValues } from '../../../workflows/proof/template.ts';
import { type Audit, openAudit } from '../../workflows/checks/harness.ts';

/** What a check or chain step of an audit proved, with all that it was proven by. */
export type Proven = { id: string; proof: Proof; experiment: Experiment; values: TrialValues };

export type Reproduction = { demo: Demo; audit: Audit; proven: Proven[]; close(): Promise<void> };

const names: readonly IdentityName[] = ['a', 'b', 'admin'];

/** Audits the demo with every check and chain step, as a deep scan does. */
export async function auditDemo(browsers?: BrowserPool): Promise<Reproduction> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-reproduction-'));
  const demo = await startDemo({ folder, port: 0, patched: false });
  const audit = await openAudit(demo.url, {
    identities: names.map((name) => ({
      name,
      role: name === 'admin' ? 'admin' : 'user',
      login: { path: '/login', username: identities[name].email, password: identities[name].password },
      checkPath: '/account',
      marker: identities[name].email,
    })),
    dnsServer: demo.dnsServer,
    timeLimitMs: 900_000,
    ...(browsers ? { browsers } : {}),
  });
  const close = async () => {
    await audit.close();
    await demo.close();
    await rm(folder, { recursive: true });
  };
  try {
    return { demo, audit, proven: await provenOf(audit, await loadRegistry()), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function provenOf(audit: Audit, registry: Registry): Promise<Proven[]> {
  const made = new Map<Proof, Omit<Proven, 'id' | 'proof'>>();
  const remember: Prover = async (experiment, signal) => {
    const { context, licensed } = audit;
    const verdict = await prove(experiment, { ...context, licensed, signal, recordWrite: async () => {} });
    if (!verdict.proven) return verdict;
    const values = newCapturedValues();
    for (const [name, value] of Object.entries(verdict.captured)) values.set(name, value);
    made.set(verdict.proof, { experiment, values });
    return verdict;
  };
  const { signal } = audit.context;
  const proven: Proven[] = [];
  const add = (id: string, proof: Proof | undefined) => {
    const how = proof && made.get(proof);
    if (proof && how) proven.push({ id, proof, ...how });
  };
  const facts: Fact[] = [];
  for (const check of registry.families.flatMap(({ checks }) => checks)) {
    const result = await runCheck(check, audit.context, remember, { timeoutMs: 110_000, signal });
    for (const { proof } of result.findings) add(check.id, proof as Proof | undefined);
    facts.push(...result.facts);
  }
  let state: PlanState = emptyState;
  for (;;) {
    const actions = registry.steps.map(({ id, needs, gives, goal, cost }) => ({
      ...{ id, needs, gives: gives?.kinds ?? [], cost },
      ...(goal === undefined ? {} : { goal }),
    }));
    const next = plan(actions, facts, state);
    if (next.steps.length === 0) return proven;
    state = next.state;
    for (const { actionId, factIds } of next.steps) {
      const step = registry.step(actionId);
      const bindings = factIds.flatMap((id) => facts.find((fact) => fact.id === id) ?? []);
      if (!step) continue;
      const shown = await actStep(step, bindings, { context: audit.context, prove: remember });
      facts.push(...shown.facts);
      for (const { places } of shown.groups) add(step.id, places[0].proof);
    }
  }
}

/** By what its last step shows what was found: a request, a question of the DNS, or a browser, which no command is. */
export function meansOf({ experiment }: Proven): 'request' | 'name' | 'browser' {
  const last = experiment.steps.at(-1) ?? {};
  return 'browser' in last ? 'browser' : 'dns' in last ? 'name' : 'request';
}
