import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { jndi } from '../../../../workflows/checks/injection/jndi.check.ts';
import { startCallbacks } from '../../../fixtures/callbacks.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { cases } from '../../../scorecard/cases/standard/injection/jndi.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('injection.jndi');

const expected = ['GET /item code', 'GET / User-Agent', 'GET /item code'];
for (const [index, { name, start }] of cases.entries())
  for (const variant of ['vulnerable', 'patched'] as const)
    (index === 0 ? test : further(test))(`${name}: ${variant}`, async () => {
      const site = await start(variant);
      const audit = await openAudit(site.url, site.options ?? {});
      try {
        const found = await check(audit, jndi as Check);
        const isVulnerable = variant === 'vulnerable';
        assert.is(found.outcome.kind, isVulnerable ? 'found' : 'clean', found.outcome.reason);
        assert.equal(places(found), isVulnerable ? [expected[index]] : []);
      } finally {
        await audit.close();
        await site.close();
      }
    });

further(test)(
  'nothing is sent to a site of another language, and a page that fetches what it is given is no directory',
  async () => {
    const { probe, close } = await startCallbacks();
    const fetched = (value: string): void => {
      for (const [url] of value.matchAll(/\bhttp:\/\/[\w.:/]+/g)) void fetch(url).catch(() => {});
    };
    for (const [headers, kind] of [
      [{ 'x-powered-by': 'PHP/8.2' }, 'not-applicable'],
      [{}, 'clean'],
    ] as const) {
      const site = await startSite(({ path, query }) => {
        fetched(query.get('code') ?? '');
        return path === '/' ? { ...html('<form action="/"><input name="code"></form>'), headers } : undefined;
      });
      const audit = await openAudit(site.url, { callbacks: probe });
      try {
        const { outcome } = await check(audit, jndi as Check);
        assert.is(outcome.kind, kind, outcome.reason);
      } finally {
        await audit.close();
        await site.close();
      }
    }
    await close();
  },
);

test.run();
