import { Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { loadRegistry } from '../../workflows/checks/registry.ts';
import type { BrowserPool } from '../../workflows/probe/browser/launch.ts';
import type { Decoy } from '../fixtures/decoys/decoy.ts';
import { readers, startDecoys } from '../fixtures/decoys/site.ts';
import { check, checkAgain, openAudit } from '../workflows/checks/harness.ts';

/** Families of what the fixture's server is, whatever its pages do. */
const ofTheServer = ['dns', 'headers', 'mail', 'tls'];
/** The fixture speaks no TLS. */
const honest = ['auth.login-over-http'];
const limits = { maxRequests: 60_000, timeLimitMs: 900_000 };

/** What all checks of injection say of one site with these pages, and pages that none of them tried. */
export async function injectionOn(decoys: readonly Decoy[], browsers: BrowserPool) {
  const site = await startDecoys(decoys);
  const audit = await openAudit(`${site.url}/`, { browsers, ...limits });
  const found: string[] = [];
  try {
    for (const each of (await loadRegistry()).family('injection')?.checks ?? [])
      found.push(...named(await check(audit, each)));
    return { found, untried: site.untried() };
  } finally {
    await audit.close();
    await site.close();
  }
}

/** What a deep audit of a test system finds in a site with these decoys beyond "info", and decoys at which it tried nothing. */
export async function auditOn(
  decoys: readonly Decoy[],
  browsers: BrowserPool,
  isWanted: (checkId: string) => boolean = () => true,
  tell: (text: string) => void = () => {},
) {
  const site = await startDecoys(decoys);
  const identities = readers.map(({ user, name, password }) => ({
    ...{ name: user, checkPath: '/account', marker: `Signed in as ${name}` },
    login: { path: '/login', username: user, password },
  }));
  const audit = await openAudit(`${site.url}/`, {
    ...{ browsers, ...limits, depth: 'deep', writes: 'create', followsLeads: true, startsAtCheckPages: true },
    ...(site.hasMembers && { identities }),
  });
  const found: string[] = [];
  const names = Object.keys(audit.context.identities);
  const checks = (await loadRegistry()).families
    .flatMap((family) => family.checks)
    .filter(({ id }) => !ofTheServer.includes(id.split('.')[0] ?? '') && !honest.includes(id) && isWanted(id));
  try {
    for (const each of checks) {
      const before = audit.requests();
      const began = Date.now();
      const own = named(await check(audit, each));
      for (const [index, name] of each.visitors === 'each' ? names.entries() : [])
        own.push(...named(await checkAgain(audit, each, name, names.slice(0, index))));
      found.push(...own);
      tell(`${each.id} ${audit.requests() - before} requests ${((Date.now() - began) / 1000).toFixed(1)} s ${own}`);
    }
    return { found, untried: site.untried(), requests: audit.requests() };
  } finally {
    await audit.close();
    await site.close();
  }
}

const named = ({ findings }: Awaited<ReturnType<typeof check>>): string[] =>
  findings
    .filter(({ severity }) => severity !== Severity.INFO)
    .map(({ checkId, location }) => `${checkId} ${location?.url} ${location?.parameter ?? ''}`);
