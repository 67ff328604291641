import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { demoHost } from '../../../dev/demo/identities.ts';
import type { BenchStack } from '../bench-stack.ts';
import { demoHosts, equipOrg } from '../demo-target.ts';
import { newOrg } from '../orgs.ts';
import { runScan } from '../scan-client.ts';
import { startWorker } from '../worker.ts';
import { wordsFor } from './our-words.ts';
import type { Claim, Target, Tool } from './types.ts';

const Findings = z.object({
  items: z.array(
    z.object({
      checkId: z.string(),
      title: z.string(),
      proof: z.unknown(),
      severity: z.string(),
      location: z.object({ url: z.string(), parameter: z.string().nullish() }),
    }),
  ),
});
const maxFindings = 100;
/** The browser is warm by then. */
const warmUpMs = 5_000;

export type OursOptions = {
  hosts: readonly string[];
  /** PEM of all that the targets' certificates come from. */
  authorities: readonly string[];
};

/** Our own service with one worker: standard scans, and deep ones of the shops, whose people it can log in as. */
export function ours(stack: BenchStack, { hosts, authorities }: OursOptions): Tool {
  let worker: { dnsServer: string | undefined; stop(): Promise<void> } | undefined;
  return {
    name: 'Scan Audit',
    kinds: ['tls', 'headers', 'shop'],
    async prepare({ dnsServer }) {
      if (worker && worker.dnsServer === dnsServer) return;
      await worker?.stop();
      const wanted = {
        hosts: [...hosts, ...demoHosts],
        authorities,
        ...(dnsServer === undefined ? {} : { dnsServer }),
      };
      worker = { ...(await startWorker(stack, wanted)), dnsServer };
      await sleep(warmUpMs);
    },
    async run(target: Target) {
      // One org a target: the twins share a name, and a right and its logins belong to the name.
      const org = await newOrg(stack, target.host === demoHost ? [] : [target.host]);
      if (target.kind === 'shop') await equipOrg(stack, org, target.url);
      const door = { gatewayUrl: stack.gatewayUrl, key: org.key };
      const { runId } = await runScan(door, target.url, target.kind === 'shop' ? 'deep' : 'standard');
      return claimsOf(await findingsOf(door, runId), target);
    },
  };
}

async function findingsOf({ gatewayUrl, key }: { gatewayUrl: string; key: string }, runId: string) {
  const url = `${gatewayUrl}/api/v1/scans/${runId}/findings?limit=${maxFindings}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return Findings.parse(await answer.json()).items;
}

const claimsOf = (findings: z.infer<typeof Findings>['items'], { kind }: Target): Claim[] =>
  findings.flatMap((finding) => {
    const named = wordsFor(kind, finding);
    const weaknesses = named.length > 0 ? named : [undefined];
    const isInformational = finding.severity === 'info';
    return weaknesses.map((weakness) => ({ weakness, text: `${finding.checkId}: ${finding.title}`, isInformational }));
  });
