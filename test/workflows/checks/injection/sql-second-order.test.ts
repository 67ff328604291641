import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { sqlSecondOrder } from '../../../../workflows/checks/injection/sql-second-order.check.ts';
import { type NotebookDesign, startNotebook } from '../../../scorecard/sites/notebook.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, stored } from '../harness.ts';

const test = suite('injection.sql-second-order');

async function result(design: NotebookDesign, writes: 'create' | 'reversible' = 'create') {
  const site = await startNotebook(design);
  const audit = await openAudit(site.url, { ...site.options, writes });
  try {
    const before = audit.requests();
    const found = await check(audit, sqlSecondOrder as Check);
    return { ...found, requests: audit.requests() - before, lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const design of firstRows([{ hasOverview: true }, {}], 1)) {
  const where = design.hasOverview ? 'behind an overview' : 'on the page after the login';
  test(`a name that stands in the statement of a page ${where} is found, and each account is announced`, async () => {
    const found = await result({ name: 'concatenated', ...design });
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', '/notes');
    assert.ok(found.lasting.length >= 6, String(found.lasting.length));
    assert.ok(found.requests < 40, String(found.requests));
    assert.not.match(stored(found), /ida-Pass-77|Aa1-(?!‹)/);
  });
  for (const name of ['bound', 'broken-by-quotes'] as const)
    further(test)(`a page ${where} with a name "${name}" is clean`, async () => {
      const found = await result({ name, ...design });
      assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
    });
}

further(test)('another text of the registration is found by itself, and is clean where it is bound', async () => {
  const { findings } = await result({ name: 'concatenated', byCity: true });
  assert.equal(
    findings.map(({ location }) => location?.parameter),
    ['city'],
  );
  for (const name of ['bound', 'broken-by-quotes'] as const)
    assert.equal((await result({ name, byCity: true })).findings, []);
});

test('a name that stands in a statement whose failures are not shown is found by what another account keeps', async () => {
  const { outcome, findings } = await result({ name: 'concatenated', isSilent: true });
  assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
  assert.equal((await result({ name: 'bound', isSilent: true })).findings, []);
});

test('no account is opened where the scope lets nothing stay', async () => {
  const { outcome, lasting } = await result({ name: 'concatenated' }, 'reversible');
  assert.equal([outcome.kind, lasting.length], ['not-run', 0], outcome.reason);
});

test.run();
