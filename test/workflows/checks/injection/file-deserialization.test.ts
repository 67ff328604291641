import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { fileDeserialization } from '../../../../workflows/checks/injection/file-deserialization.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { cases } from '../../../scorecard/cases/deep/injection/file-deserialization.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('injection.file-deserialization');

for (const [index, { name, start }] of cases.entries())
  for (const variant of ['vulnerable', 'patched'] as const)
    (index === 0 ? test : further(test))(`${name}: ${variant}`, async () => {
      const site = await start(variant);
      const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
      try {
        const before = audit.requests();
        const { outcome } = await check(audit, fileDeserialization as Check);
        assert.is(outcome.kind, variant === 'vulnerable' ? 'found' : 'clean', outcome.reason);
        assert.ok(audit.requests() - before <= (variant === 'vulnerable' ? 40 : 8), String(audit.requests() - before));
      } finally {
        await audit.close();
        await site.close();
      }
    });

const upload = (accept: string) =>
  `<form method="post" action="/in" enctype="multipart/form-data"><input type="file" name="picture" accept="${accept}"><button>Send</button></form>`;

test('nothing is sent to a form for pictures', async () => {
  const site = await startSite(({ path }) => (path === '/' ? html(upload('image/png')) : undefined));
  const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
  try {
    assert.is((await check(audit, fileDeserialization as Check)).outcome.kind, 'not-applicable');
    assert.is(audit.lasting.length, 0);
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
    assert.is((await check(audit, fileDeserialization as Check)).outcome.kind, 'not-applicable');
    assert.is(audit.lasting.length, 0);
  } finally {
    await audit.close();
    await site?.close();
  }
});

test.run();
