import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDemo } from '../../../../dev/demo/demo.ts';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { loadRegistry } from '../../../../workflows/checks/registry.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { check, openAudit } from '../../../workflows/checks/harness.ts';

const folder = await mkdtemp(join(tmpdir(), 'demo-names-'));
const registry = await loadRegistry();
const checks = ['dns', 'mail'].flatMap((family) => registry.family(family)?.checks ?? []);
const audits = suite('an audit of the names of the demo');

/** What the checks of DNS and mail say of the shop, and what the name server had to ask others for it. */
async function auditOf(patched: boolean) {
  const others = await startNameServer({});
  const demo = await startDemo({ folder, port: 0, patched, resolver: others.address });
  const authority = await readFile(demo.caFile, 'utf8');
  const audit = await openAudit(demo.url, { dnsServer: demo.dnsServer, authority });
  try {
    const results = [];
    for (const one of checks) results.push(await check(audit, one));
    const findings = results.flatMap((result) => result.findings);
    const withheld = results.filter(({ outcome }) => outcome.kind === 'not-run');
    return { findings, withheld: withheld.map(({ outcome }) => outcome.reason), asked: others.asked() };
  } finally {
    await audit.close();
    await demo.close();
    others.close();
  }
}

audits('finds what is wrong with them as built, and asks nobody outside', async () => {
  const { findings, withheld, asked } = await auditOf(false);
  assert.equal(findings.map(({ checkId }) => checkId).toSorted(), [
    'dns.caa-missing',
    'dns.dangling-mx',
    'dns.zone-transfer',
    'mail.dkim-weak',
    'mail.dmarc-none',
    'mail.mta-sts-broken',
    'mail.spf-permissive',
    'mail.tls-rpt-broken',
  ]);
  assert.equal([withheld, asked], [[], []]);
});

audits('finds nothing above info at the patched twin, and asks nobody outside', async () => {
  const { findings, withheld, asked } = await auditOf(true);
  assert.equal(
    findings.filter(({ severity = 0 }) => severity > Severity.INFO).map(({ checkId }) => checkId),
    [],
  );
  assert.equal([withheld, asked], [[], []]);
});

audits.after(() => rm(folder, { recursive: true }));
audits.run();
