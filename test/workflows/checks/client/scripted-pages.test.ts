import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pagesWithScript } from '../../../../workflows/checks/client/scripted-pages.ts';
import type { Omitted } from '../../../../workflows/model/omission.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('pages with script');

const script = { headers: { 'content-type': 'text/javascript' }, body: 'localStorage.kept = 1;' };

test('a script that may not be asked for costs no other script, and is told', async () => {
  const site = await startSite(({ path }) => {
    if (path === '/') return html('<script src="/app.js"></script><script src="/notes/delete?id=3"></script>');
    return path === '/app.js' ? script : undefined;
  });
  const audit = await openAudit(site.url);
  try {
    const { context } = audit;
    const left: Omitted[] = [];
    const leave = (omitted: Omitted) => void left.push(omitted);
    const pages = await pagesWithScript({ http: context.http, leave }, context.surface, (text) =>
      text.includes('kept'),
    );
    assert.equal(
      pages.map(({ url, scripts }) => [url, scripts]),
      [[`${site.url}/`, [script.body]]],
    );
    assert.equal(
      left.map(({ code, count }) => [code, count]),
      [['would_act', 1]],
    );
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
