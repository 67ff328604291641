import type { AuditActivities, ChainReportInput, NotCovered } from '../orchestration/tasks.ts';
import { goalsIn } from '../planner/act.ts';
import { chainFindingOf } from '../planner/chain-finding.ts';
import { breakingLinks, type Chain, kindOf } from '../planner/chains.ts';
import { type HeldChain, type Holding, holdingChains } from '../planner/holding.ts';
import { type Replay, replay } from '../planner/replay.ts';
import { ProbeError } from '../probe/types.ts';
import { openAudit } from './audit-context.ts';
import type { AuditDeps } from './deps.ts';
import { loadFacts } from './facts.ts';
import { withoutSecrets } from './masking.ts';
import { inAudit, type Scene, withProbes } from './scene.ts';

/** Chains that a scan replays. Each takes the requests of all its actions again. */
const maxReplays = 20;

/** What could not be looked at is tried once more: a connection that was lost is no reason to lose a chain. */
const maxAttempts = 2;

/** What the replays of one report have used and learned. */
type Ledger = { requests: number; secrets: string[] };

/** Replays the smallest chain of each kind from nothing, and reports those that hold. */
export const reportChains: (deps: AuditDeps, input: ChainReportInput) => ReturnType<AuditActivities['reportChains']> = (
  deps,
  { runId, share },
) =>
  inAudit(deps, { runId, share }, async (scene) => {
    const facts = await loadFacts(scene.run);
    const ledger: Ledger = { requests: 0, secrets: [] };
    const attempt = (chain: Chain, kindsLeft: number) => attemptReplay(deps, scene, ledger, chain, kindsLeft);
    const holding = await holdingChains(goalsIn(facts), facts, attempt, maxReplays);
    await recordChains(deps, scene, holding.held, ledger.secrets);
    return { requests: ledger.requests, notCovered: gapsOf(holding) };
  });

async function recordChains({ registry }: AuditDeps, { run }: Scene, held: readonly HeldChain[], secrets: string[]) {
  const breaking = breakingLinks(held);
  const findings = held.flatMap((chain) => chainFindingOf(chain, registry, breaking.get(chain) ?? '') ?? []);
  // One a call: each has the evidence of several findings.
  for (const finding of withoutSecrets(findings, secrets)) await run.recordFindings([finding]);
}

async function attemptReplay(
  deps: AuditDeps,
  scene: Scene,
  ledger: Ledger,
  chain: Chain,
  kindsLeft: number,
): Promise<Replay> {
  // What is left is divided, so that one chain cannot use up the budget of those after it.
  const end = ledger.requests + Math.floor((scene.share.maxRequests - ledger.requests) / kindsLeft);
  for (let attempts = 1; ; attempts += 1) {
    const share = { ...scene.share, maxRequests: Math.max(0, end - ledger.requests) };
    const result = await replayOnce(deps, { ...scene, share }, ledger, chain);
    if (result.held) return result;
    const { broken, partly } = result;
    scene.logger.warn({ kind: kindOf(chain), broken: broken?.actionId, partly }, 'a chain did not hold');
    if (partly === undefined || attempts === maxAttempts) return result;
  }
}

/** Instruments of its own: no connection, cache or session of the first run enters a replay. */
const replayOnce = (deps: AuditDeps, scene: Scene, ledger: Ledger, { links }: Chain): Promise<Replay> =>
  withProbes(deps, scene, async (probes) => {
    try {
      const audit = await openAudit(deps, { ...scene, probes }, 'deep');
      const result = await replay(links, deps.registry, (actionId) => ({
        context: audit.context,
        prove: audit.proverFor(actionId),
      }));
      ledger.secrets.push(...audit.identities.secrets());
      return result;
    } catch (error) {
      scene.signal.throwIfAborted();
      if (!(error instanceof ProbeError)) throw error;
      return { held: false, partly: `${error.code}: ${error.message}` };
    } finally {
      ledger.requests += probes.requests();
    }
  });

/** What the report lacks, in words for its reader. */
function gapsOf({ notLooked, left, isCut }: Holding): NotCovered[] {
  const gaps = notLooked.map(({ chain, reason }) => ({
    subject: `chain:${kindOf(chain)}`,
    reason: `it could not be replayed: ${reason}`,
  }));
  if (left.length > 0)
    gaps.push({
      subject: 'chains:replays',
      reason: `${left.length} kinds of chain were not replayed; a scan makes at most ${maxReplays} replays`,
    });
  if (isCut)
    gaps.push({
      subject: 'chains:kinds',
      reason: 'there are more kinds of ways than a scan follows; the smallest were',
    });
  return gaps;
}
