import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedXss } from '../../../../workflows/checks/injection/stored-xss.check.ts';
import { html, redirect, startSite } from '../../../fixtures/site.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('stored texts that are cut');
const browsers = testBrowsers();
test.after(() => browsers.close());

const startBoard = (length: number, encode: (text: string) => string = String) => {
  const kept: string[] = [];
  return startSite(({ path, method, body }) => {
    if (path !== '/') return undefined;
    if (method === 'POST') {
      kept.unshift((new URLSearchParams(body).get('title') ?? '').slice(0, length));
      return redirect('/', 303);
    }
    const data = encode(JSON.stringify(kept));
    const script = `for (const title of ${data}) document.body.append(title)`;
    return html(`<form method=post><input name=title><button>Add note</button></form><script>${script}</script>`);
  });
};

for (const [what, length, encode, expected] of [
  ['40 signs', 40, undefined, ['POST / title']],
  ['20 signs', 20, undefined, []],
  ['40 signs, its brackets encoded', 40, (text: string) => text.replaceAll('<', '\\u003c'), []],
] as const)
  test(`of a text ${what} are kept in the data of a script`, async () => {
    const site = await startBoard(length, encode);
    const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
    try {
      const found = await check(audit, storedXss);
      assert.equal(places(found), expected, found.outcome.reason);
    } finally {
      await audit.close();
      await site.close();
    }
  });

test.run();
