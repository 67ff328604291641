import { loadRegistry } from '../../workflows/checks/registry.ts';
import type { BrowserPool } from '../../workflows/probe/browser/launch.ts';
import { type Decoy, startDecoys } from '../fixtures/decoys/decoy.ts';
import { check, openAudit } from '../workflows/checks/harness.ts';

/** What all checks of injection say of one site with these pages, and pages that none of them tried. */
export async function injectionOn(decoys: readonly Decoy[], browsers: BrowserPool) {
  const site = await startDecoys(decoys);
  const audit = await openAudit(`${site.url}/`, { browsers, maxRequests: 60_000, timeLimitMs: 900_000 });
  const found: string[] = [];
  try {
    for (const each of (await loadRegistry()).family('injection')?.checks ?? []) {
      const { findings } = await check(audit, each);
      found.push(
        ...findings.map(({ checkId, location }) => `${checkId} ${location?.url} ${location?.parameter ?? ''}`),
      );
    }
    return { found, untried: site.untried() };
  } finally {
    await audit.close();
    await site.close();
  }
}
