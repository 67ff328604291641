import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeEvaluation } from '../../../../workflows/checks/injection/code-evaluation.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';

const test = suite('the answer to an input’s own value, asked for again');

test('inputs of one address share what was asked a moment ago', async () => {
  const address = '/list?sort=name&group=kind&filter=open&columns=id';
  // What is no name is left out, so that each sign changes the answer.
  const site = await startSite(({ path, query }) => {
    if (path === '/') return html(`<a href="${address.replaceAll('&', '&amp;')}">List</a>`);
    const words = ['sort', 'group', 'filter', 'columns'].map((name) => query.get(name) ?? '');
    return path === '/list' ? html(`<p>${words.filter((word) => /^\w+$/.test(word)).join(' ')}</p>`) : undefined;
  });
  try {
    const { findings } = await runOn(site.url, codeEvaluation);
    assert.equal(findings, []);
    const plain = site.requests.filter((request) => request === `GET ${address}`);
    assert.ok(plain.length <= 14, `${plain.length} of ${site.requests.length}`);
    assert.ok(site.requests.some((request) => request.includes('name%27') || request.includes("name'")));
  } finally {
    await site.close();
  }
});

test.run();
