import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedXss } from '../../../../workflows/checks/injection/stored-xss.check.ts';
import { escapeHtml, html, startSite } from '../../../fixtures/site.ts';
import { firstOfKinds, further } from '../../../support/further.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('script in links that are stored');
const browsers = testBrowsers();
test.after(() => browsers.close());

/** Notes in Markdown of some length. @param addressOf what becomes of the address of a link */
const notebook = (addressOf: (address: string) => string, filtered = (text: string) => text) => {
  const notes: string[] = [];
  const rendered = (text: string) =>
    escapeHtml(text).replace(
      /\[([^\]]+)\]\(([^)\s]+)\)/g,
      (_, label: string, address: string) => `<a href="${addressOf(address)}">${label}</a>`,
    );
  return startSite(({ path, method, body }) => {
    if (path !== '/') return undefined;
    if (method === 'POST') notes.push(filtered((new URLSearchParams(body).get('words') ?? '').slice(0, 700)));
    const list = notes.map((note) => `<li>${rendered(note)}</li>`).join('');
    return html(`<ul>${list}</ul><form method=post><textarea name=words></textarea><button>Save note</button></form>`);
  });
};

for (const [filter, addressOf, expected] of firstOfKinds(
  [
    ['one spelling of the scheme is removed', (url: string) => url.replace(/^javascript:/, ''), ['POST / words']],
    ['all spellings are, at the beginning', (url: string) => url.replace(/^javascript:/i, ''), ['POST / words']],
    ['any spelling is, wherever it stands', (url: string) => url.replace(/javascript:/i, ''), ['POST / words']],
    [
      'any spelling is, however often',
      (url: string) => {
        let left = url;
        while (/javascript:/i.test(left)) left = left.replace(/javascript:/i, '');
        return left;
      },
      [],
    ],
    ['none but two schemes may stand', (url: string) => (/^https?:/i.test(url) ? url : '#'), []],
  ] as const,
  ([, , { length }]) => length,
  1,
))
  test(`a link of a note from which ${filter} ${expected.length > 0 ? 'runs script' : 'is clean'}`, async () => {
    const site = await notebook(addressOf);
    const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
    try {
      const found = await check(audit, storedXss);
      assert.equal(places(found), expected, found.outcome.reason);
      assert.ok(audit.lasting.length <= 8 + 1, String(audit.lasting.length));
    } finally {
      await audit.close();
      await site.close();
    }
  });

further(test)('a link of script runs behind one of which the scheme is removed', async () => {
  const site = await notebook(
    (url) => (url.startsWith('\u0001') ? '#' : url),
    (note) => note.replace(/javascript:/i, ''),
  );
  const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
  try {
    assert.equal(places(await check(audit, storedXss)), ['POST / words']);
  } finally {
    await audit.close();
    await site.close();
  }
});

test('a link whose address ends its attribute runs script, and not where quotes are escaped', async () => {
  const unquoted = (text: string) => text.replaceAll('&#34;', '"');
  for (const [addressOf, expected] of [
    [(url: string) => (/^https?:/i.test(url) ? unquoted(url) : '#'), ['POST / words']],
    [(url: string) => (/^https?:/i.test(url) ? url : '#'), []],
  ] as const) {
    const site = await notebook(addressOf);
    const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
    const found = await check(audit, storedXss);
    await audit.close();
    await site.close();
    assert.equal(places(found), expected, found.outcome.reason);
  }
});

/** Makers with a name, a text and the address of their own site. */
const makers = (linked: (address: string) => string) => {
  const all: URLSearchParams[] = [];
  return startSite(({ path, method, body }) => {
    if (path !== '/') return undefined;
    if (method === 'POST') all.push(new URLSearchParams(body));
    const text = (maker: URLSearchParams, name: string) => escapeHtml((maker.get(name) ?? '').slice(0, 300));
    const list = all.map(
      (maker) =>
        `<li>${text(maker, 'name')} ${text(maker, 'about')} <a href="${escapeHtml(linked(maker.get('site') ?? ''))}">Site</a></li>`,
    );
    return html(
      `<ul>${list.join('')}</ul><form method=post><input name=name><input name=site type=url><textarea name=about></textarea><button>Join</button></form>`,
    );
  });
};

for (const [filter, linked, expected] of [
  ['removed once, however it is written', (url: string) => url.replace(/javascript:/gi, ''), ['POST / site']],
  ['asked for', (url: string) => (/^https?:/i.test(url) ? url : '#'), []],
] as const)
  further(test)(
    `the address of a maker whose scheme is ${filter} ${expected.length > 0 ? 'runs script' : 'is clean'}`,
    async () => {
      const site = await makers(linked);
      const audit = await openAudit(site.url, { browsers, depth: 'deep', writes: 'create' });
      try {
        const found = await check(audit, storedXss);
        assert.equal(places(found), expected, found.outcome.reason);
      } finally {
        await audit.close();
        await site.close();
      }
    },
  );

test.run();
