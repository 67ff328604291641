import { mayBeKept } from '../../../workflows/activities/places.ts';
import type { ChainStep, Check } from '../../../workflows/checks/contract.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import type { Candidate } from '../../../workflows/model/candidate.ts';
import type { Fact } from '../../../workflows/model/fact.ts';
import type { PlanState } from '../../../workflows/model/plan-state.ts';
import { goalsIn } from '../../../workflows/planner/act.ts';
import { type Holding, holdingChains } from '../../../workflows/planner/holding.ts';
import { emptyState, plan, planActionOf } from '../../../workflows/planner/plan.ts';
import { replay } from '../../../workflows/planner/replay.ts';
import { type Audit, type AuditOptions, check, openAudit, step, world } from './harness.ts';

/** Replays are not what these tests bound. */
const maxReplays = 20;

/** Runs the checks, plans and runs steps to a fixpoint, and replays what comes of it: the chain part of a deep scan. */
export async function chainsOn(
  url: string,
  checks: readonly Check[],
  steps: readonly ChainStep[],
  options: AuditOptions,
): Promise<Holding> {
  const audit = await openAudit(url, options);
  try {
    const facts: Fact[] = [];
    const places = new Map<string, Candidate>();
    for (const each of checks) {
      const found = await check(audit, each);
      facts.push(...found.facts);
      for (const [factId, place] of found.places) if (mayBeKept(place, [])) places.set(`${each.id} ${factId}`, place);
    }
    await runSteps(audit, steps, facts);
    const registry = registryOf(checks, steps);
    return await holdingChains(goalsIn(facts), facts, {
      maxReplays,
      width: 1,
      isWriting: () => false,
      async attempt({ links }) {
        const fresh = await openAudit(url, { ...options, after: audit });
        try {
          return await replay(
            links,
            registry,
            () => world(fresh),
            async ({ actionId, fact }) => places.get(`${actionId} ${fact.id}`),
          );
        } finally {
          await fresh.close();
        }
      },
    });
  } finally {
    await audit.close();
  }
}

/** Adds to the facts what steps make of them, until there is nothing new to try. */
async function runSteps(audit: Audit, steps: readonly ChainStep[], facts: Fact[]): Promise<void> {
  let state: PlanState = emptyState;
  for (;;) {
    const next = plan(steps.map(planActionOf), facts, state);
    if (next.steps.length === 0) return;
    state = next.state;
    for (const { actionId, factIds } of next.steps) {
      const subject = steps.find(({ id }) => id === actionId);
      const bindings = factIds.flatMap((id) => facts.find((fact) => fact.id === id) ?? []);
      if (subject) facts.push(...(await step(audit, subject, bindings)).facts);
    }
  }
}
