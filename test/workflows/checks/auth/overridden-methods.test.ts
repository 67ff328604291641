import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusalBypass } from '../../../../workflows/checks/auth/refusal-bypass.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstOfKinds } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('methods that a header names');

const secret = html('<h1>Accounts</h1><p>Ina Holm, 14 berths</p>');

/** A guard of GET before what serves the page, and where the header of another method is read. */
const site =
  (read: 'behind the guard' | 'before the guard' | 'nowhere', posts: string[]): Handler =>
  ({ path, method, headers }) => {
    if (path === '/') return html('<h1>Lagoon</h1><a href="/admin/export">Export</a>');
    if (method === 'POST') posts.push(path);
    const named = read !== 'nowhere' && method === 'POST' ? headers['x-http-method-override'] : undefined;
    const guarded = read === 'before the guard' ? (named ?? method) : method;
    if (path.startsWith('/admin') && guarded === 'GET') return html('<h1>Lagoon</h1>Access denied.', 403);
    if (path !== '/admin/export') return undefined;
    return (named ?? method) === 'GET' ? secret : html('<h1>Not allowed</h1>', 405);
  };

for (const [read, writes, count] of firstOfKinds(
  [
    ['behind the guard', 'create', 1],
    ['behind the guard', 'reversible', 0],
    ['before the guard', 'create', 0],
    ['nowhere', 'create', 0],
  ] as const,
  ([, , count]) => count,
  1,
))
  test(`read ${read}, with writes "${writes}", ${count === 1 ? 'open a page' : 'open nothing'}`, async () => {
    const posts: string[] = [];
    const started = await startSite(site(read, posts));
    try {
      const found = await runOn(started.url, refusalBypass, { depth: 'deep', writes });
      assert.equal(places(found).length, count, found.outcome.reason);
      assert.is(writes === 'create' || posts.length === 0, true);
    } finally {
      await started.close();
    }
  });

test.run();
