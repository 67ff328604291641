import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { debugSwitch } from '../../../../workflows/checks/exposure/debug-switch.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { cases } from '../../../scorecard/cases/standard/exposure/debug-switch.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, runOn } from '../harness.ts';

const test = suite('exposure.debug-switch');

for (const each of firstRows(cases, 1)) {
  test(`${each.name} is found`, async () => {
    const site = await each.start('vulnerable');
    try {
      assert.is((await runOn(site.url, debugSwitch)).findings.length, 1);
    } finally {
      await site.close();
    }
  });
  test(`${each.name}, mended, costs four requests a page`, async () => {
    const site = await each.start('patched');
    const audit = await openAudit(site.url);
    const before = audit.requests();
    try {
      assert.is((await check(audit, debugSwitch)).outcome.kind, 'clean');
      assert.ok(audit.requests() - before <= 8, String(audit.requests() - before));
    } finally {
      await audit.close();
      await site.close();
    }
  });
}

/** What a page shows for any parameter, or repeats, is no switch. */
const decoys: [what: string, page: Handler][] = [
  [
    'a page that is another one for any query',
    ({ query }) => html(query.size > 0 ? '<p>$_GET["user"]</p>' : '<p>Hello</p>'),
  ],
  ['a page that repeats its query', ({ target }) => html(`<p>SECRET_KEY=${target.replace(/[<>&]/g, ' ')}</p>`)],
  [
    'a page that says that a mode is on',
    ({ query }) => html(query.has('debug') ? '<p>Debug mode is on.</p>' : '<p>Hello</p>'),
  ],
  [
    'a page that sets out in lines the script that it has anyway',
    ({ query }) => {
      const tokens = { editToken: '7a1f9c04be22d8', csrfToken: '5be1c98a7f3304' };
      return html(`<script>site.set(${JSON.stringify(tokens, null, query.has('debug') ? 4 : 0)});</script>`);
    },
  ],
];
for (const [what, page] of decoys)
  test(`${what} is clean`, async () => {
    const site = await startSite((request) => (request.path === '/' ? page(request) : undefined));
    try {
      assert.is((await runOn(site.url, debugSwitch)).findings.length, 0);
    } finally {
      await site.close();
    }
  });

further(test)('further pages of one program are a limit of the coverage, and no gap', async () => {
  const site = await startSite(({ path }) =>
    html(
      path === '/' ? ['a', 'b', 'c', 'd', 'e'].map((each) => `<a href="/${each}">${each}</a>`).join('') : '<p>Here</p>',
    ),
  );
  try {
    const { outcome } = await runOn(site.url, debugSwitch);
    assert.equal([outcome.kind, outcome.omitted?.map(({ code }) => code)], ['clean', ['alike']]);
  } finally {
    await site.close();
  }
});

test.run();
