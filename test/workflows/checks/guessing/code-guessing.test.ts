import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeGuessing } from '../../../../workflows/checks/guessing/code-guessing.check.ts';
import { type Answer, html, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';

const test = suite('limits of guesses of a PIN');

const form = (field: string) =>
  `<form method=post action=/locker><input name=${field} maxlength=4><button>Open the locker</button></form>`;

/** @param answer to the wrong code of this number, counted from 1 */
async function found(answer: (count: number, page: string) => Answer, field = 'pin'): Promise<number> {
  let count = 0;
  const site = await startSite(({ method, path }) => {
    if (path === '/') return html('<a href=/locker>Locker</a>');
    if (path !== '/locker') return undefined;
    return method === 'POST' ? answer(++count, form(field)) : html(form(field));
  });
  try {
    const result = await runOn(site.url, codeGuessing as Parameters<typeof runOn>[1], { depth: 'deep' });
    return result.findings.length;
  } finally {
    await site.close();
  }
}

test('wrong codes that are refused in the same words are found', async () => {
  assert.is(await found((_count, page) => html(`<p>Wrong PIN</p>${page}`)), 1);
});
further(test)('so are those that are refused by a status, with a counter beside', async () => {
  assert.is(await found((count) => html(`<p>This access code does not fit.</p><p>${count}`, 403), 'access_code'), 1);
});

const limited: [what: string, answer: Parameters<typeof found>[0]][] = [
  [
    'a limit that is announced',
    (count, page) => html(count > 5 ? '<p>Zu oft. In 15 Minuten wieder.</p>' : `<p>Wrong PIN${page}`),
  ],
  ['a status', (count, page) => (count > 10 ? html('Slow down', 429) : html(`<p>Wrong PIN</p>${page}`))],
  [
    'a limit that is announced beside the refusal',
    (count, page) => html(`<p>Wrong PIN</p>${count > 20 ? '<p>Closed until noon</p>' : ''}${page}`),
  ],
  ['the page again without a word', (_count, page) => html(page)],
  ['failures', () => html('Oops', 500)],
];
for (const [what, answer] of firstRows(limited, 2))
  test(`${what}: nothing is found`, async () => {
    assert.is(await found(answer), 0);
  });

test('a name beside the code is a login of a person', async () => {
  assert.is(await found((_count, page) => html(`<p>Wrong</p>${page}`), 'pin><input name=user'), 0);
});

test.run();
