import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resetEnumeration } from '../../../../workflows/checks/auth/reset-enumeration.check.ts';
import { type Answer, html, redirect, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('names that a password reset reveals');

const dora = {
  ...{ name: 'A', checkPath: '/home', marker: 'Signed in as dora' },
  login: { path: '/login', username: 'dora', password: 'correct-horse-5' },
};
type Design = { isThere: (name: string) => Answer; isNot: (name: string) => Answer };

async function audit({ isThere, isNot }: Design, writes: 'create' | 'reversible' = 'create') {
  const asked: string[] = [];
  const site = await startSite(({ method, path, body, cookies }) => {
    const fields = new URLSearchParams(body);
    const name = fields.get('username') ?? '';
    if (method === 'POST' && path === '/login')
      return name === 'dora' && fields.get('password') === 'correct-horse-5'
        ? { status: 302, headers: { location: '/home', 'set-cookie': 'sid=k7f3; Path=/' } }
        : html('wrong', 401);
    if (method === 'POST' && path === '/forgot-password') {
      asked.push(name);
      return name === 'dora' ? isThere(name) : isNot(name);
    }
    if (path === '/home') return cookies.sid === 'k7f3' ? html('Signed in as dora') : redirect('/login');
    if (path === '/forgot-password') return html('<form method=post><input name=username><button>Send</button></form>');
    if (path !== '/' && path !== '/login') return undefined;
    return html(
      '<a href=/forgot-password>Forgotten?</a><form method=post action=/login><input name=username><input type=password name=password></form>',
    );
  });
  const opened = await openAudit(site.url, { depth: 'deep', writes, identities: [dora] });
  try {
    const result = await check(opened, resetEnumeration as Parameters<typeof check>[1]);
    return { found: result.findings.length, kind: result.outcome.kind, asked, lasting: opened.lasting.length };
  } finally {
    await opened.close();
    await site.close();
  }
}

const sent = () => html('<p>A message is on its way.</p>');

further(test)('other words are found, and each request is announced', async () => {
  const { found, asked, lasting } = await audit({ isThere: sent, isNot: () => html('<p>Nobody is called so.</p>') });
  assert.is(found, 1);
  assert.is(lasting, asked.length);
  assert.ok(asked.length <= 8, String(asked.length));
});
test('another status is found', async () => {
  assert.is((await audit({ isThere: sent, isNot: () => html('<p>A message is on its way.</p>', 404) })).found, 1);
});
test('one answer for all is not', async () => {
  const same = (name: string) => html(`<p>If ${name} is a member, a message is on its way.</p>`);
  assert.is((await audit({ isThere: same, isNot: same })).found, 0);
});
test('nor is what changes with each answer', async () => {
  const timed = () => html(`<p>Taken at ${performance.now()}</p><p>Thank you</p>`);
  assert.is((await audit({ isThere: timed, isNot: timed })).found, 0);
});
test('where nothing may stay, nothing is asked', async () => {
  const { kind, asked } = await audit({ isThere: sent, isNot: () => html('no') }, 'reversible');
  assert.equal([kind, asked], ['not-run', []]);
});

test.run();
