import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cookieWithoutSecure } from '../../../../workflows/checks/cookies/without-secure.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('cookies.without-secure');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, cookieWithoutSecure, { depth: 'deep', writes: 'create' });
  } finally {
    await site.close();
  }
}

const field = (action: string) =>
  `<form method="post" action="${action}"><input name="taste" value="plain"><button>Go</button></form>`;

/** Two forms, of which each keeps the choice of its visitor in a cookie. @param attributes of each */
const forms =
  (attributes: Record<string, string>): Handler =>
  ({ path, method, body }) => {
    if (path === '/') return html(Object.keys(attributes).map(field).join(''));
    const own = attributes[path];
    const taste = encodeURIComponent(new URLSearchParams(body).get('taste') || 'none');
    return method !== 'POST' || own === undefined
      ? undefined
      : html('<p>Noted.</p>', 200, { 'set-cookie': `taste=${taste}; Path=${path}${own}` });
  };

test('a cookie that the answer to one form sets without Secure, and that to another with it, is found', async () => {
  const found = await result(forms({ '/one': '; Secure; HttpOnly', '/two': '; HttpOnly' }));
  assert.equal(places(found), ['POST /two taste'], found.outcome.reason);
});

test('cookies that all have it are clean, and nothing is said of a site where none has', async () => {
  const both = await result(forms({ '/one': '; Secure', '/two': '; secure; HttpOnly' }));
  assert.equal([both.outcome.kind, places(both)], ['clean', []], both.outcome.reason);
  assert.is((await result(forms({ '/one': '', '/two': '' }))).outcome.kind, 'not-applicable');
});

further(test)(
  'of pages, one that takes the cookie away, or sets another one, is no finding, and one that sets it without Secure is',
  async () => {
    const pages =
      (line: string): Handler =>
      ({ path }) =>
        path === '/'
          ? html('<a href="/shop">Shop</a>', 200, { 'set-cookie': 'visitor=v1; Secure' })
          : path === '/shop'
            ? html('<p>Shop</p>', 200, { 'set-cookie': line })
            : undefined;
    assert.equal(places(await result(pages('visitor=none; Max-Age=0'))), []);
    assert.equal(places(await result(pages('basket=b7'))), []);
    assert.equal(places(await result(pages('visitor=v2'))), ['GET /shop visitor']);
  },
);

test.run();
