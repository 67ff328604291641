import { fixed, markdown } from '../table.ts';
import type { Claim, Peer, Target, TargetKind, Tool } from './types.ts';

/** How one tool did on all targets of a kind. */
export type Score = {
  tool: string;
  kind: TargetKind;
  planted: number;
  found: number;
  /** Planted, and not said. */
  missed: string[];
  /** What it says that is not so. */
  falseClaims: string[];
  requests: number;
  seconds: number;
};

/** Lets a tool look at all targets of a kind, one after the other. @throws Error when the tool fails */
export async function scoreOf(tool: Tool, kind: TargetKind, targets: readonly Target[]): Promise<Score> {
  const score: Score = {
    ...{ tool: tool.name, kind, planted: 0, found: 0, missed: [], falseClaims: [] },
    ...{ requests: 0, seconds: 0 },
  };
  for (const target of targets) {
    await tool.prepare?.(target);
    const before = target.arrived();
    const startMs = performance.now();
    const claims = await tool.run(target);
    score.seconds += (performance.now() - startMs) / 1_000;
    score.requests += target.arrived() - before;
    score.planted += target.planted.length;
    const missed = missedIn(target, claims);
    score.found += target.planted.length - missed.length;
    const named = (text: string) => `${target.name}: ${text}`;
    score.missed.push(...missed.map(named));
    score.falseClaims.push(...falseIn(target, claims).map(named));
  }
  return score;
}

/** Tools differ in what they call informational, so any claim counts unless it says that all is well. */
const missedIn = ({ planted }: Target, claims: readonly Claim[]): string[] =>
  planted.filter((word) => !claims.some(({ weakness }) => weakness === word));

/**
 * Claims above informational that are not so, each once: on a target that is repaired in everything all of them, on others those
 * about a listed weakness that is not there. What the truth does not list counts neither for nor against a tool.
 */
function falseIn({ planted, isTwin }: Target, claims: readonly Claim[]): string[] {
  const isFalse = ({ weakness, isInformational }: Claim) =>
    !isInformational && (isTwin || (weakness !== undefined && !planted.includes(weakness)));
  return [...new Set(claims.filter(isFalse).map(({ weakness, text }) => weakness ?? text))];
}

const titles: Record<TargetKind, string> = {
  tls: 'five TLS servers',
  headers: 'headers and cookies, with twin',
  shop: 'demo shop, with patched twin',
};

/** The comparison as a Markdown table, below it who did not run and why, what was missed, and what is false. */
export function comparison(scores: readonly Score[], peers: readonly Peer[], ourName: string): string {
  const lines = scores.map((score) => {
    const ours = scores.find(({ tool, kind }) => tool === ourName && kind === score.kind);
    const perFinding = score.found > 0 ? fixed(score.requests / score.found) : '–';
    return [
      titles[score.kind],
      score.tool,
      `${score.found} of ${score.planted}`,
      String(score.falseClaims.length),
      String(score.requests),
      perFinding,
      fixed(score.seconds),
      ours ? `${(score.seconds / ours.seconds).toFixed(2)} ×` : '–',
    ];
  });
  const header = ['targets', 'tool', 'found', 'false', 'requests', 'a true finding', 'seconds', 'of our time'];
  const failed = peers.flatMap((peer) => ('skipped' in peer ? [`${peer.name} did not run: ${peer.skipped}`] : []));
  const ran = (name: string) => scores.some(({ tool }) => tool === name);
  const limits = peers.flatMap((peer) =>
    'limits' in peer && peer.limits && ran(peer.name) ? [`${peer.name}: ${peer.limits}`] : [],
  );
  const missedLines = scores.flatMap(({ tool, missed }) => missed.map((text) => `Missed, ${tool}: ${text}`));
  const falseLines = scores.flatMap(({ tool, falseClaims }) => falseClaims.map((text) => `False, ${tool}: ${text}`));
  const below = [...failed, ...limits, missedLines.join('\n'), falseLines.join('\n')];
  return [markdown(header, lines), ...below].filter((part) => part !== '').join('\n\n');
}
