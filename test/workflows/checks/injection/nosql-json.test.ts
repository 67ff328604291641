import { Query } from 'mingo';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nosqlInjection } from '../../../../workflows/checks/injection/nosql.check.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { runOn, testBrowsers } from '../harness.ts';

const test = suite('operators of queries in JSON');
const browsers = testBrowsers();
test.after(() => browsers.close());

const codes = [{ code: 'late-7731' }, { code: 'early-2209' }];
const script = `document.querySelector('button').onclick = async () => {
  const answer = await fetch('/api/check', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: document.querySelector('#code').value, show: 'matinee' }) });
  document.querySelector('p').textContent = (await answer.json()).valid ? 'Valid' : 'Unknown';
};`;
const pageWith = (value: string): string =>
  `<h1>Cinema</h1><input id="code" value="${value}"><button>Check</button><p></p><script>${script}</script>`;

type Shown = { value?: string; status?: number };

/** @param find whether there is such a code; what fails finds none, which is answered with the status */
async function outcomeWhere(find: (code: unknown) => boolean, { value = '', status = 200 }: Shown = {}) {
  const site = await startSite(({ path, method, body }) => {
    if (path === '/') return html(pageWith(value));
    if (path !== '/api/check' || method !== 'POST') return undefined;
    const { code } = JSON.parse(body || '{}');
    let isValid = false;
    try {
      isValid = Boolean(code) && find(code);
    } catch {}
    return json({ valid: isValid, percent: isValid ? 20 : 0 }, isValid ? 200 : status);
  });
  try {
    return (await runOn(site.url, nosqlInjection, { browsers, depth: 'deep', writes: 'create' })).outcome.kind;
  } finally {
    await site.close();
  }
}

const known = (code: unknown) => codes.some((each) => new Query({ code }).test(each));

test('are found where they ask whether a code is valid', async () => {
  assert.is(await outcomeWhere(known), 'found');
});

test('are found where the page is filled in with a code that is refused', async () => {
  const filledIn = { value: 'none-0000', status: 401 };
  assert.is(await outcomeWhere(known, filledIn), 'found');
  assert.is(await outcomeWhere((code) => known(String(code)), filledIn), 'clean');
});

test('are data where a text is demanded, and where any object is taken', async () => {
  assert.is(await outcomeWhere((code) => known(String(code))), 'clean');
  assert.is(await outcomeWhere((code) => typeof code === 'object' || known(code)), 'clean');
});

test.run();
