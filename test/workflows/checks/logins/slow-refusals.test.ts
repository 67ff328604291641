import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nosqlLoginBypass } from '../../../../workflows/checks/auth/nosql-login-bypass.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { runOn } from '../harness.ts';

const test = suite('a login that lets whoever it refuses wait');

const form =
  '<form method=post action=/login><input name=user><input type=password name=pass><button>Log in</button></form>';

/** @param takes a body that lets in */
async function found({ waitMs, takes }: { waitMs: number; takes?: RegExp }) {
  const tries: number[] = [];
  const site = await startSite(({ path, method, body }) => {
    if (path === '/') return html('<a href="/login">Log in</a>');
    if (path !== '/login') return undefined;
    if (method !== 'POST') return html(form);
    if (takes?.test(decodeURIComponent(body))) return html('<p>Welcome</p><a href="/logout">Log out</a>');
    tries.push(performance.now());
    return { ...html(`<p>Wrong password</p>${form}`, 401), afterMs: waitMs };
  });
  try {
    const { outcome } = await runOn(site.url, nosqlLoginBypass, { depth: 'deep' });
    const beside = tries.map((at) => tries.filter((other) => other >= at && other < at + waitMs).length);
    return { kind: outcome.kind, beside: Math.max(...beside), tries: tries.length };
  } finally {
    await site.close();
  }
}

test('is tried several times beside each other', async () => {
  const slow = await found({ waitMs: 1_600 });
  assert.equal([slow.kind, slow.beside], ['clean', 4]);
  const quick = await found({ waitMs: 0 });
  assert.equal([quick.kind, quick.tries], ['clean', slow.tries]);
});

further(test)('is proven all the same', async () => {
  assert.is((await found({ waitMs: 1_600, takes: /user\[\$ne\].*pass\[\$ne\]/ })).kind, 'found');
});

test.run();
