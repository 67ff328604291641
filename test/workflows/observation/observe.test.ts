import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isKept } from '../../../workflows/observation/observe.ts';
import { createPageWatch } from '../../../workflows/observation/page-watch.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { openAudit } from '../checks/harness.ts';

const test = suite('whether a page shows what a form was sent');

const pages: [body: string, shows: boolean][] = [
  ['<script src="/element.js?ver=47162ff4492c7ec4956b"></script>', false],
  ['<input type="hidden" name="token" value="9e4B47162a">', false],
  ['<p>No. 147162</p>', false],
  ['<p>No. 47162</p>', true],
  ['<p>47162kg, of order row47162</p>', true],
  ['<p>at 12.47162EUR</p>', true],
  ['<script src="/element.js?ver=47162ff4492c7ec4956b"></script><p>47162</p>', true],
];

test('a number of ours is no part of a longer number, nor of a digest', async () => {
  const site = await startSite(({ path }) => html(pages[Number(path.slice(1))]?.[0] ?? '<h1>Orders</h1>'));
  const audit = await openAudit(site.url);
  try {
    const watch = createPageWatch((url) => audit.context.http.send({ url }));
    for (const [at, [body, shows]] of pages.entries()) {
      const reading = await watch.read(new URL(`/${at}`, site.url).href);
      assert.ok(reading);
      assert.is(await isKept(watch, reading, { words: ['47162'] }), shows, body);
    }
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
