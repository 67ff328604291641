import type { AuditActivities, ChainReportInput } from '../orchestration/tasks.ts';
import { goalKind } from '../planner/act.ts';
import { chainFindingOf } from '../planner/chain-finding.ts';
import { replay } from '../planner/replay.ts';
import { breakingLink, type Link, smallestChains } from '../planner/tree.ts';
import { openAudit } from './audit-context.ts';
import type { AuditDeps } from './deps.ts';
import { loadFacts } from './facts.ts';
import { withoutSecrets } from './masking.ts';
import { inAudit, type Scene, withProbes } from './scene.ts';

type Chain = { goal: string; links: Link[] };

/** Replays the smallest chain to each goal from nothing, and reports those that hold. */
export const reportChains: (deps: AuditDeps, input: ChainReportInput) => ReturnType<AuditActivities['reportChains']> = (
  deps,
  { runId, share },
) =>
  inAudit(deps, { runId, share }, async (scene) => {
    const facts = await loadFacts(scene.run);
    const goals = facts
      .filter(({ kind }) => kind === goalKind)
      .map(({ id, attributes }) => ({ factId: id, goal: attributes.goal ?? '' }));
    const chains = smallestChains(goals, facts);
    let requests = 0;
    for (const chain of chains) requests += await reportChain(deps, scene, chain, chains, requests);
    return { requests };
  });

/** @returns requests that it took */
function reportChain(deps: AuditDeps, scene: Scene, chain: Chain, all: Chain[], spent: number): Promise<number> {
  const { run, logger } = scene;
  const share = { ...scene.share, maxRequests: Math.max(0, scene.share.maxRequests - spent) };
  // Instruments of its own: no connection, cache or session of the first run enters a replay.
  return withProbes(deps, { ...scene, share }, async (probes) => {
    const audit = await openAudit(deps, { ...scene, probes }, 'deep');
    const sceneFor = (actionId: string) => ({ context: audit.context, prove: audit.proverFor(actionId) });
    const result = await replay(chain.links, deps.registry, sceneFor);
    if (!result.held) {
      logger.warn({ goal: chain.goal, reason: result.reason }, 'a chain did not hold when it was replayed');
      return probes.requests();
    }
    const goalStep = deps.registry.step(chain.links.at(-1)?.actionId ?? '');
    const finding = goalStep && chainFindingOf(goalStep, result.links, deps.registry, breakingLink(chain.links, all));
    if (finding) await run.recordFindings(withoutSecrets([finding], audit.identities.secrets()));
    return probes.requests();
  });
}
