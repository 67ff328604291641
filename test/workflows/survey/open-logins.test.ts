import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inputsToProbe } from '../../../workflows/checks/inputs/probe-inputs.ts';
import { loginsOf } from '../../../workflows/checks/logins/login.ts';
import { survey } from '../../../workflows/survey/crawler.ts';
import { type Handler, html, startSite } from '../../fixtures/site.ts';
import { openTestProbes } from '../support/checks.ts';

const test = suite('forms that look like logins');

const formAt = (action: string, type = 'password') => ({
  ...html(
    `<form method="post" action="${action}"><input name="username" value="guest"><input type="${type}" name="password" value="guest"><input type="hidden" name="choice" value="one"><input type="submit" value="Login"></form>`,
  ),
  headers: { 'content-type': 'text/html', 'set-cookie': `taste${action.replace(/\W/g, '')}=sweet; path=/` },
});

/** @param answer to whoever sends one of the forms */
async function lookAt(count: number, answer: () => ReturnType<Handler>, type?: string) {
  const links = Array.from({ length: count }, (_, index) => `<a href="/part${index}.html">Part ${index}</a>`).join('');
  const site = await startSite(({ path, method }) => {
    if (path === '/') return html(`<h1>Parts</h1>${links}`);
    const [, number] = /^\/part(\d)\.html$/.exec(path) ?? [];
    if (number !== undefined) return formAt(`/enter${number}`, type);
    return /^\/enter\d$/.test(path) && method === 'POST' ? answer() : undefined;
  });
  const { signal } = new AbortController();
  const probes = openTestProbes(site.url, signal, undefined, { maxRequests: 1_000 });
  try {
    const surface = await survey({ probes, url: `${site.url}/`, startUrls: [], excludedPaths: [], signal });
    const inputs = inputsToProbe(surface).filter(({ method }) => method === 'POST');
    return {
      inputs: [...new Set(inputs.map(({ in: place, parameter }) => `${place} ${parameter.replace(/\d/, '')}`))].sort(),
      logins: loginsOf(surface).length,
      sent: site.requests.filter((request) => request.startsWith('POST ')).length,
    };
  } finally {
    await Promise.all([probes.close(), site.close()]);
  }
}

const taken = ['body choice', 'body password', 'body username', 'cookie tasteenter'];

for (const type of ['password', 'text'])
  test(`are inputs where each of many answers whoever sends it, with a password of type ${type}`, async () => {
    const { inputs, logins, sent } = await lookAt(3, () => html('<h1>Result</h1><p>Nothing was found.</p>'), type);
    assert.equal(inputs, taken);
    assert.equal([logins, sent], [0, 3]);
  });

const refusals: [string, () => ReturnType<Handler>][] = [
  ['say that a password is wrong', () => html('<p>Wrong user name or password</p>')],
  ['ask for the password once more', () => formAt('/enter0')],
  ['refuse by their status', () => ({ ...html('<p>No</p>'), status: 401 })],
  ['lead elsewhere', () => ({ status: 302, headers: { location: '/' }, body: '' })],
  ['answer a script', () => ({ headers: { 'content-type': 'application/json' }, body: '{"ok":false}' })],
];
for (const [name, answer] of refusals)
  test(`are logins where they ${name}`, async () => {
    const { inputs, logins } = await lookAt(3, answer);
    assert.equal(inputs, []);
    assert.is(logins, 3);
  });

test('are logins, and sent nothing, where a site has two of them', async () => {
  const { inputs, logins, sent } = await lookAt(2, () => html('<h1>Result</h1>'));
  assert.equal(inputs, []);
  assert.equal([logins, sent], [2, 0]);
});

test.run();
