import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ldapInjection } from '../../../../workflows/checks/injection/ldap.check.ts';
import { nosqlInjection } from '../../../../workflows/checks/injection/nosql.check.ts';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { xpathInjection } from '../../../../workflows/checks/injection/xpath.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('inputs of which a page shows nothing');

test('checks whose queries would decide the page ask with the same words that nothing has', async () => {
  const site = await startSite(({ path }) =>
    path === '/' || path === '/hash'
      ? html('<form action="/hash"><input name="text"><button>Calculate</button></form><p>Noted.</p>')
      : undefined,
  );
  const audit = await openAudit(site.url);
  try {
    const before = site.requests.length;
    for (const each of [sqlBoolean, nosqlInjection, ldapInjection, xpathInjection]) {
      const { outcome, findings } = await check(audit, each);
      assert.equal([outcome.kind, findings.length], ['clean', 0], `${each.id}: ${outcome.reason}`);
    }
    const sent = site.requests.slice(before).filter((request) => request.includes('/hash?'));
    assert.ok(sent.length > 5 && sent.length <= 11, `${sent.length} requests:\n${sent.join('\n')}`);
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
