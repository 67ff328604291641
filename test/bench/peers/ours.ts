import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { demoHost } from '../../../dev/demo/identities.ts';
import type { BenchStack } from '../bench-stack.ts';
import { demoHosts, equipOrg } from '../demo-target.ts';
import { newOrg } from '../orgs.ts';
import { runScan, type ScanDoor } from '../scan-client.ts';
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
  nextCursor: z.string().nullish(),
});
type Finding = z.infer<typeof Findings>['items'][number];
const pageSize = 100;
/** The browser is warm by then. */
const warmUpMs = 5_000;

type OursOptions = {
  hosts: readonly string[];
  /** PEM of all that the targets' certificates come from. */
  authorities: readonly string[];
};

/** Our own service with one worker: standard scans, and deep ones of the shops, whose people it can log in as. */
export function ours(stack: BenchStack, { hosts, authorities }: OursOptions): Tool {
  let worker: { dnsServer: string | undefined; stop(): Promise<void> } | undefined;
  let org: Awaited<ReturnType<typeof newOrg>> | undefined;
  return {
    name: 'Scan Audit',
    kinds: ['tls', 'headers', 'shop'],
    async prepare({ dnsServer, host, kind, url }) {
      // One org a target: the twins share a name, and a right and its logins belong to the name.
      org = await newOrg(stack, host === demoHost ? [] : [host]);
      if (kind === 'shop') await equipOrg(stack, org, url);
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
      if (!org) throw new Error('there is no org for it yet');
      const api = { gatewayUrl: stack.gatewayUrl, key: org.key };
      const { runId } = await runScan(api, target.url, target.kind === 'shop' ? 'deep' : 'standard');
      return claimsOf(await findingsOf(api, runId), target);
    },
  };
}

async function findingsOf({ gatewayUrl, key }: ScanDoor, runId: string): Promise<Finding[]> {
  const all: Finding[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(pageSize), ...(cursor ? { cursor } : {}) });
    const url = `${gatewayUrl}/api/v1/scans/${runId}/findings?${query}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const page = Findings.parse(await answer.json());
    all.push(...page.items);
    cursor = page.nextCursor || undefined;
  } while (cursor);
  return all;
}

const claimsOf = (findings: Finding[], { kind }: Target): Claim[] =>
  findings.flatMap((finding) => {
    const named = wordsFor(kind, finding);
    const weaknesses = named.length > 0 ? named : [undefined];
    const isInformational = finding.severity === 'info';
    return weaknesses.map((weakness) => ({ weakness, text: `${finding.checkId}: ${finding.title}`, isInformational }));
  });
