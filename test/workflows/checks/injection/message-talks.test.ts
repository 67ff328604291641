import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { osCommand } from '../../../../workflows/checks/injection/os-command.check.ts';
import { pathTraversal } from '../../../../workflows/checks/injection/path-traversal.check.ts';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { template } from '../../../../workflows/checks/injection/template.check.ts';
import type { ScoreSite } from '../../../scorecard/case.ts';
import { decoys, startGreetedTalk } from '../../../scorecard/sites/message-talks.ts';
import { type Audit, check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('conversations over a WebSocket');
const browsers = testBrowsers();
test.after(() => browsers.close());

async function audited<T>(start: () => Promise<ScoreSite>, look: (audit: Audit) => Promise<T>): Promise<T> {
  const site = await start();
  const audit = await openAudit(site.url, { browsers, ...site.options });
  try {
    return await look(audit);
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [variant, found] of [
  ['vulnerable', ['POST /talk text']],
  ['patched', []],
] as const)
  test(`a template behind a greeting that pages of the site alone may send: ${variant}`, async () => {
    const result = await audited(
      () => startGreetedTalk(variant),
      (audit) => check(audit, template),
    );
    assert.equal(places(result), found, result.outcome.reason);
  });

for (const [name, start] of Object.entries(decoys))
  test(`nothing is found where there is a decoy: ${name}`, async () => {
    const found = await audited(start, async (audit) => {
      const results = [];
      for (const each of [sqlBoolean, osCommand, template, pathTraversal])
        results.push(...places(await check(audit, each)));
      return results;
    });
    assert.equal(found, []);
  });

test.run();
