import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { programArguments } from '../../../../workflows/checks/injection/program-arguments.check.ts';
import { escapeHtml, html, startSite } from '../../../fixtures/site.ts';
import { cases } from '../../../scorecard/cases/standard/injection/program-arguments.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('injection.program-arguments');

for (const [index, { name, start }] of cases.entries())
  for (const variant of ['vulnerable', 'patched'] as const)
    (index === 0 ? test : further(test))(`${name}: ${variant}`, async () => {
      const site = await start(variant);
      const audit = await openAudit(site.url, { depth: 'deep' });
      try {
        const before = audit.requests();
        const { outcome } = await check(audit, programArguments as Check);
        assert.is(outcome.kind, variant === 'vulnerable' ? 'found' : 'clean', outcome.reason);
        assert.ok(audit.requests() - before <= 14, String(audit.requests() - before));
      } finally {
        await audit.close();
        await site.close();
      }
    });

test('a search for files prints none but the one that every system has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'searched-'));
  writeFileSync(join(folder, 'minutes.txt'), 'what the board said');
  const printed: string[] = [];
  const site = await startSite(({ path, query }) => {
    if (path === '/') return html('<form action="/files"><input name="named"><button>Find</button></form>');
    if (path !== '/files') return undefined;
    const words = (query.get('named') ?? '').split(' ');
    const { stdout } = spawnSync('find', [folder, '-type', 'f', '-name', ...words], { encoding: 'utf8' });
    printed.push(stdout);
    return html(`<pre>${escapeHtml(stdout)}</pre>`);
  });
  const audit = await openAudit(site.url, { depth: 'deep' });
  try {
    assert.is((await check(audit, programArguments as Check)).outcome.kind, 'found');
    assert.ok(printed.some((text) => text.includes('root:')));
    assert.not.ok(printed.some((text) => text.includes('what the board said')));
  } finally {
    await audit.close();
    await site.close();
    rmSync(folder, { recursive: true });
  }
});

test.run();
