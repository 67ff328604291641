import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBenchStack } from '../bench-stack.ts';
import { countArrivals } from './arrivals.ts';
import { makeAuthority } from './authority.ts';
import { comparison, type Score, scoreOf } from './compare.ts';
import { observatory } from './observatory.ts';
import { ourTls } from './our-tls.ts';
import { ours } from './ours.ts';
import { startHeaderTargets, startShopTarget } from './site-targets.ts';
import { sslscan } from './sslscan.ts';
import { sslyze } from './sslyze.ts';
import { testssl } from './testssl.ts';
import { startTlsTargets } from './tls-targets.ts';
import type { Peer, Target, TargetKind, Tool } from './types.ts';
import { wapiti } from './wapiti.ts';

type Wanted = { kinds: readonly TargetKind[]; tools: readonly string[] | undefined };

/**
 * Runs ours and other tools on the same targets, one after the other, and compares them.
 * @param wanted.tools names; all when not given
 * @returns a Markdown table
 */
export async function comparePeers(env: NodeJS.ProcessEnv, wanted: Wanted): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-bench-peers-'));
  const arrivals = countArrivals();
  const authority = await makeAuthority();
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, authority.cert);
  const tls = await startTlsTargets(authority);
  const headers = await startHeaderTargets(authority, arrivals);
  const [shop, twin] = [await startShopTarget(false, arrivals), await startShopTarget(true, arrivals)];
  const targets = [...tls.targets, ...headers.targets, shop.target, twin.target];
  const stack = await startBenchStack({ temporal: true });
  try {
    const demoAuthorities = await Promise.all([shop, twin].map(({ caFile: file }) => readFile(file, 'utf8')));
    const own = ours(stack, {
      hosts: targets.map(({ host }) => host),
      authorities: [authority.cert, ...demoAuthorities],
    });
    const peers: Peer[] = [
      own,
      await ourTls(authority.cert),
      await ready('sslyze', () => sslyze(caFile, env)),
      await ready('sslscan', () => sslscan(env)),
      await ready('testssl.sh', () => testssl(caFile, env)),
      await ready('MDN HTTP Observatory', () => observatory(caFile, env)),
      await ready('wapiti', () => wapiti(env)),
    ];
    return await compareAll(peers, targets, wanted, own.name);
  } finally {
    await stack.close();
    await Promise.all([tls, headers, shop, twin].map((each) => each.close()));
    arrivals.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareAll(peers: Peer[], targets: readonly Target[], { kinds, tools }: Wanted, ourName: string) {
  const scores: Score[] = [];
  const failed: Peer[] = [];
  const running = peers.filter((peer) => 'run' in peer && (tools === undefined || tools.includes(peer.name)));
  for (const kind of kinds)
    for (const tool of running) {
      if (!('run' in tool) || !tool.kinds.includes(kind)) continue;
      console.error(`${tool.name}: ${kind} …`);
      try {
        scores.push(
          await scoreOf(
            tool,
            kind,
            targets.filter((target) => target.kind === kind),
          ),
        );
      } catch (error) {
        failed.push({ name: `${tool.name} (${kind})`, skipped: reasonOf(error) });
      }
    }
  return comparison(scores, [...peers, ...failed], ourName);
}

/** A tool that cannot be had on this machine is left out, with the reason. */
async function ready(name: string, make: () => Tool | Promise<Tool>): Promise<Peer> {
  try {
    return await make();
  } catch (error) {
    return { name, skipped: reasonOf(error) };
  }
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 300);
