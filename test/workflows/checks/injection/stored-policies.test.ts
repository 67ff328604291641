import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedXss } from '../../../../workflows/checks/injection/stored-xss.check.ts';
import { html, redirect, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('stored texts under a policy for scripts');
const browsers = testBrowsers();
test.after(() => browsers.close());

/** Notes are shown as they are under a policy that lets scripts of the site run alone; one of them calls the function that it is asked for. */
const underPolicy = (isAnyName: boolean) => {
  const notes: string[] = [];
  const policy = { 'content-security-policy': "default-src 'self'; object-src 'none'" };
  return startSite(({ path, method, body, query }) => {
    const name = query.get('callback') ?? 'tide';
    if (path === '/tide')
      return isAnyName || /^\w+$/.test(name)
        ? { headers: { 'content-type': 'text/javascript' }, body: `${name}({"high":"04:12"});` }
        : html('<p>No such name</p>', 400);
    if (path !== '/') return undefined;
    if (method === 'POST') {
      notes.push(`<blockquote>${new URLSearchParams(body).get('text') ?? ''}</blockquote>`);
      return redirect('/');
    }
    const form = '<form method=post action=/><textarea name=text></textarea><button>Leave a note</button></form>';
    const head = '<title>Pier</title><script src="/tide?callback=show"></script>';
    return html(`${head}${notes.join('')}${form}`, 200, policy);
  });
};

test('a script of the site that calls any function runs a stored text past the policy; one that calls named ones does not', async () => {
  const rows = [
    [true, ['POST / text']],
    [false, []],
  ] as const;
  for (const [isAnyName, expected] of firstRows(rows, 1)) {
    const site = await underPolicy(isAnyName);
    const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
    try {
      assert.equal(places(await check(audit, storedXss)), expected);
    } finally {
      await audit.close();
      await site.close();
    }
  }
});

test.run();
