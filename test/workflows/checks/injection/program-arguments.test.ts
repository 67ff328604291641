import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { programArguments } from '../../../../workflows/checks/injection/program-arguments.check.ts';
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

test.run();
