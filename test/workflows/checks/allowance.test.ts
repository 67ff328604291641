import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fairPart, withAllowance } from '../../../workflows/checks/allowance.ts';
import type { Exchange } from '../../../workflows/model/http.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { openTestProbes, testContext } from '../support/checks.ts';

const test = suite('allowances of checks');

test('parts of what is left leave something for proofs, and are never negative', () => {
  assert.equal(
    [fairPart(900, 9), fairPart(100, 1), fairPart(5, 9), fairPart(-3, 2), fairPart(8, 0)],
    [75, 75, 0, 0, 6],
  );
});

test('answers that another check has paid for, and those of proofs, cost nothing', async () => {
  const site = await startSite(({ path }) =>
    path === '/old' ? { status: 302, headers: { location: '/' } } : html(path === '/' ? 'home' : 'page'),
  );
  const probes = openTestProbes(site.url);
  try {
    const context = testContext(site.url, probes);
    const paid = new WeakSet<Exchange>();
    const [first, second] = [withAllowance(context, 5, paid), withAllowance(context, 3, paid)];
    await first.http.get(`${site.url}/a`);
    await first.http.get(`${site.url}/old`, { maxRedirects: 1 });
    assert.is(first.allowance(), 2);
    await second.http.get(`${site.url}/a`);
    assert.is(second.allowance(), 3);
    await second.http.send({ url: `${site.url}/a`, fresh: true });
    await context.http.get(`${site.url}/b`);
    assert.is(second.allowance(), 2);
    for (const _ of [1, 2, 3]) await second.http.send({ url: `${site.url}/a`, fresh: true });
    assert.is(second.allowance(), 0);
  } finally {
    await probes.close();
    await site.close();
  }
});

test.run();
