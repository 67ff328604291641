import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { fileNameCommand } from '../../../../workflows/checks/injection/file-name-command.check.ts';
import { cases } from '../../../scorecard/cases/deep/injection/file-name-command.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('injection.file-name-command');

for (const [index, { name, start }] of cases.entries())
  for (const variant of ['vulnerable', 'patched'] as const)
    (index === 0 ? test : further(test))(`${name}: ${variant}`, async () => {
      const site = await start(variant);
      const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
      try {
        const before = audit.requests();
        const { outcome } = await check(audit, fileNameCommand as Check);
        assert.is(outcome.kind, variant === 'vulnerable' ? 'found' : 'clean', outcome.reason);
        assert.ok(audit.requests() - before <= (variant === 'vulnerable' ? 40 : 10), String(audit.requests() - before));
      } finally {
        await audit.close();
        await site.close();
      }
    });

test('no file is sent where the scope does not let anything stay', async () => {
  const [first] = cases;
  const site = await first?.start('vulnerable');
  const audit = await openAudit(site?.url ?? '', { depth: 'deep', writes: 'reversible' });
  try {
    assert.is((await check(audit, fileNameCommand as Check)).outcome.kind, 'not-applicable');
    assert.is(audit.lasting.length, 0);
  } finally {
    await audit.close();
    await site?.close();
  }
});

test.run();
