import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { looseLogin } from '../../../../workflows/checks/auth/loose-login.check.ts';
import { nosqlLoginBypass } from '../../../../workflows/checks/auth/nosql-login-bypass.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('a login that lets whoever it refuses wait');

const form =
  '<form method=post action=/login><input name=user><input type=password name=pass><button>Log in</button></form>';

type Site = {
  waitMs: number;
  /** A body that lets in. */
  takes?: RegExp;
};

async function found({ waitMs, takes }: Site, checks: readonly Check[] = [nosqlLoginBypass]) {
  const tries: number[] = [];
  const site = await startSite(({ path, method, body }) => {
    if (path === '/') return html('<a href="/login">Log in</a>');
    if (path !== '/login') return undefined;
    if (method !== 'POST') return html(form);
    if (takes?.test(decodeURIComponent(body))) return html('<p>Welcome</p><a href="/logout">Log out</a>');
    tries.push(performance.now());
    return { ...html(`<p>Wrong password</p>${form}`, 401), afterMs: waitMs };
  });
  const audit = await openAudit(site.url, { depth: 'deep' });
  try {
    const kinds = [];
    for (const each of checks) kinds.push((await check(audit, each)).outcome.kind);
    const beside = tries.map((at) => tries.filter((other) => other >= at && other < at + waitMs).length);
    return { kinds, beside: Math.max(...beside), tries: tries.length };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('is tried several times beside each other', async () => {
  const slow = await found({ waitMs: 1_600 });
  assert.equal([slow.kinds, slow.beside], [['clean'], 4]);
  const quick = await found({ waitMs: 0 });
  assert.equal([quick.kinds, quick.tries], [['clean'], slow.tries]);
});

further(test)('is asked once for all checks how it refuses somebody', async () => {
  const both = [nosqlLoginBypass, looseLogin];
  const [quick, slow] = [await found({ waitMs: 0 }, both), await found({ waitMs: 1_600 }, both)];
  assert.is(quick.tries - slow.tries, 2);
});

further(test)('is proven all the same', async () => {
  const takes = /user\[\$ne\].*pass\[\$ne\]/;
  assert.equal((await found({ waitMs: 1_600, takes }, [looseLogin, nosqlLoginBypass])).kinds, ['clean', 'found']);
});

test.run();
