import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedXss } from '../../../../workflows/checks/injection/stored-xss.check.ts';
import { escapeHtml, html, redirect, startSite } from '../../../fixtures/site.ts';
import { places, runOn, testBrowsers } from '../harness.ts';

const test = suite('injection.stored-xss, of a page that shows a value in two ways');
const browsers = testBrowsers();
test.after(() => browsers.close());

/** Sightings of birds, as text and for the script of the page; what is long is cut. */
const birds = (inScript: (rows: string[]) => string) => {
  const rows: string[] = [];
  return startSite(({ path, method, body }) => {
    if (path !== '/') return undefined;
    if (method === 'POST') {
      rows.push((new URLSearchParams(body).get('bird') ?? '').slice(0, 110));
      return redirect('/');
    }
    const items = rows.map((row) => `<li>${escapeHtml(row)}</li>`);
    return html(
      `<title>Birds</title><ul>${items.join('')}</ul><script>const birds = ${inScript(rows)};</script>
      <form method=post action=/><input name=bird><button>Note</button></form>`,
    );
  });
};

async function found(inScript: (rows: string[]) => string) {
  const site = await birds(inScript);
  try {
    return places(await runOn(site.url, storedXss, { browsers, depth: 'deep', writes: 'create' }));
  } finally {
    await site.close();
  }
}

test('a text that ends the script is stored, where the text of the page is encoded and what is long is cut', async () => {
  assert.equal(await found((rows) => JSON.stringify(rows)), ['POST / bird']);
});

test('JSON whose brackets are written by their codes is clean', async () => {
  assert.equal(await found((rows) => JSON.stringify(rows).replaceAll('<', '\\u003c')), []);
});

test.run();
