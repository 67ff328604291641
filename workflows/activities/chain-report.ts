import { omissionCode } from '../checks/omitted.ts';
import type { BudgetShare } from '../model/budget.ts';
import type { Omission } from '../model/omission.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { AuditActivities, ChainReportInput } from '../model/tasks.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { goalsIn } from '../planner/act.ts';
import { chainFindingOf } from '../planner/chain-finding.ts';
import { breakingLinks, type Chain, kindOf } from '../planner/chains.ts';
import { type HeldChain, type Holding, holdingChains } from '../planner/holding.ts';
import { linksOnce, type Replay, replay } from '../planner/replay.ts';
import type { Link } from '../planner/tree.ts';
import type { ActivityTools } from './activity-tools.ts';
import { openAudit } from './audit-context.ts';
import type { AuditDeps } from './deps.ts';
import { loadFacts } from './facts.ts';
import { inAudit, withProbes } from './in-audit.ts';
import { withoutSecrets } from './masking.ts';
import { recallPlace } from './places.ts';

/** Chains that a scan replays. Each takes the requests of all its actions again. */
const maxReplays = 20;

/** What could not be looked at is tried once more: a connection that was lost is no reason to lose a chain. */
const maxAttempts = 2;

/**
 * What the replays of one report have used and learned; `granted` is what those that run may still use, `share` what they show for
 * each other.
 */
type ReplayBudget = { requests: number; granted: number; secrets: string[]; share: ReturnType<typeof linksOnce> };

/** Replays the smallest chain of each kind from nothing, and reports those that hold. */
export const reportChains: (deps: AuditDeps, input: ChainReportInput) => ReturnType<AuditActivities['reportChains']> = (
  deps,
  { runId, share },
) =>
  inAudit(deps, { runId, share }, async (tools) => {
    const facts = await loadFacts(tools.run);
    const ledger: ReplayBudget = { requests: 0, granted: 0, secrets: [], share: linksOnce() };
    // Beside each other, each with a connection of its own.
    const width = share.maxConnections;
    const holding = await holdingChains(goalsIn(facts), facts, {
      maxReplays,
      width,
      isWriting: ({ links }) => links.some(({ actionId }) => isWriting(deps, actionId)),
      attempt: (chain, kindsLeft) =>
        attemptReplay(deps, { ...tools, share: shareOfOne(share, width) }, ledger, chain, kindsLeft),
    });
    await recordChains(deps, tools, holding.held, ledger.secrets);
    return { requests: ledger.requests, omissions: gapsOf(holding) };
  });

async function recordChains(
  { registry }: AuditDeps,
  { run }: ActivityTools,
  held: readonly HeldChain[],
  secrets: string[],
) {
  const breaking = breakingLinks(held);
  const findings = held.flatMap((chain) => chainFindingOf(chain, registry, breaking.get(chain) ?? '') ?? []);
  // One a call: each has the evidence of several findings.
  for (const finding of withoutSecrets(findings, secrets)) await run.recordFindings([finding]);
}

const isWriting = ({ registry }: AuditDeps, actionId: string): boolean =>
  (registry.check(actionId) ?? registry.step(actionId))?.risk === 'caution';

const shareOfOne = (share: BudgetShare, width: number): BudgetShare => ({
  ...share,
  maxConnections: Math.max(1, Math.floor(share.maxConnections / width)),
  requestsPerSecond: share.requestsPerSecond / width,
});

type Attempt = { result: Replay; requests: number };

async function attemptReplay(
  deps: AuditDeps,
  tools: ActivityTools,
  ledger: ReplayBudget,
  chain: Chain,
  kindsLeft: number,
): Promise<Replay> {
  // What is left is divided, so that one chain cannot use up the budget of those after it.
  let left = Math.max(0, Math.floor((tools.share.maxRequests - ledger.requests - ledger.granted) / kindsLeft));
  for (let attempts = 1; ; attempts += 1) {
    ledger.granted += left;
    const share = { ...tools.share, maxRequests: left };
    const { result, requests } = await replayOnce(deps, { ...tools, share }, ledger, chain);
    ledger.granted -= left;
    ledger.requests += requests;
    left = Math.max(0, left - requests);
    if (result.held) return result;
    const { broken, partly } = result;
    tools.logger.warn({ kind: kindOf(chain), broken: broken?.actionId, partly }, 'a chain did not hold');
    if (partly === undefined || attempts === maxAttempts) return result;
  }
}

/** Instruments of its own: no connection or cache of the first run enters a replay. Test identities log in anew where it may change the target. */
const replayOnce = (
  deps: AuditDeps,
  tools: ActivityTools,
  { secrets, share }: Pick<ReplayBudget, 'secrets' | 'share'>,
  { links }: Chain,
): Promise<Attempt> =>
  withProbes(deps, tools, async (probes) => {
    const ended = (result: Replay): Attempt => ({ result, requests: probes.requests() });
    try {
      const sharesSessions = !links.some(({ actionId }) => isWriting(deps, actionId));
      const audit = await openAudit(deps, { ...tools, probes }, { depth: 'deep', sharesSessions });
      const toolsFor = (actionId: string) => ({ context: audit.context, prove: audit.proverFor(actionId) });
      const placeOf = ({ actionId, fact }: Link) => recallPlace(tools.run, actionId, fact.id);
      const result = await replay(links, deps.registry, toolsFor, placeOf, share);
      secrets.push(...audit.identities.secrets());
      return ended(result);
    } catch (error) {
      tools.signal.throwIfAborted();
      if (!(error instanceof ProbeError)) throw error;
      const text = `${error.code}: ${error.message}`;
      return ended({ held: false, partly: { code: omissionCode(error), count: 1, text } });
    }
  });

/** What the report lacks, in words for its reader. */
function gapsOf({ notLooked, notHeld, left, isCut }: Holding): Omission[] {
  const gaps = notLooked.map(
    ({ chain, why: { code, text } }): Omission => ({
      code,
      subject: `chain:${kindOf(chain)}`,
      count: 1,
      text: `it could not be replayed: ${text}`,
    }),
  );
  for (const { chain, broken } of notHeld)
    gaps.push({
      code: 'unclear',
      subject: `chain:${kindOf(chain)}`,
      count: 1,
      text: `each of its steps was shown, and ${broken.actionId} was not shown again when all were replayed from the start`,
    });
  if (left.length > 0)
    gaps.push({
      code: 'too_many',
      subject: 'chains:replays',
      count: left.length,
      text: `${counted(left.length, 'kind')} of chain ${wasOrWere(left.length)} not replayed; a scan makes at most ${maxReplays} replays`,
    });
  if (isCut)
    gaps.push({
      code: 'too_many',
      subject: 'chains:kinds',
      count: 1,
      text: 'there are more kinds of ways than a scan follows; the smallest were',
    });
  return gaps;
}
