import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedXss } from '../../../../workflows/checks/injection/stored-xss.check.ts';
import { escapeHtml, html, redirect, startSite } from '../../../fixtures/site.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('many forms that store');
const browsers = testBrowsers();
test.after(() => browsers.close());

/** More forms than are tried where no budget is left; what the last one keeps stands on its own page alone. */
const names = Array.from({ length: 64 }, (_, index) => `/boxes/${'abcdefgh'[index % 8]}-${'stuvwxyz'[index >> 3]}`);
const last = names.at(-1);

const manyForms = (show: (text: string) => string) => {
  const kept: string[] = [];
  return startSite(({ path, method, body }) => {
    if (path === '/') return html(names.map((name) => `<a href="${name}">x</a>`).join(''));
    if (!names.includes(path)) return undefined;
    if (method === 'POST') {
      if (path === last) kept.push(new URLSearchParams(body).get('words') ?? '');
      return redirect(path, 303);
    }
    const list = path === last ? kept.map((text) => `<li>${show(text)}</li>`).join('') : '';
    return html(`${list}<form method=post><textarea name=words>${path}</textarea><button>Save note</button></form>`);
  });
};

for (const [show, allowance, expected] of [
  [(text: string) => text, 20_000, [`POST ${last} words`]],
  [(text: string) => text, 100, []],
  [escapeHtml, 20_000, []],
] as const)
  test(`the last of them is ${expected.length > 0 ? 'found' : 'not reported'} with ${allowance} requests left`, async () => {
    const site = await manyForms(show);
    const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create', allowance });
    try {
      const found = await check(audit, storedXss);
      assert.equal(places(found), expected, found.outcome.reason);
    } finally {
      await audit.close();
      await site.close();
    }
  });

test.run();
