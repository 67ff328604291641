import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultCredentials } from '../../../../workflows/checks/auth/default-credentials.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';

const test = suite('logins/sessionless');

/** A login that keeps no session: the answer is all that there is. @param behind what is shown for the password */
async function found(behind: string, accepts: (name: string, password: string) => boolean) {
  const form = '<form method=post><input name=name><input type=password name=password><button>Enter</button></form>';
  const site = await startSite(({ path, method, body }) => {
    if (path === '/') return html('<h1>Brewery</h1><a href="/office">Office</a>');
    if (path !== '/office') return undefined;
    const sent = new URLSearchParams(body);
    const isIn = method === 'POST' && accepts(sent.get('name') ?? '', sent.get('password') ?? '');
    return html(`<h1>Office</h1>${isIn ? behind : form}`);
  });
  try {
    const { findings, outcome } = await runOn(site.url, defaultCredentials, { depth: 'deep' });
    return { count: findings.length, reason: outcome.reason };
  } finally {
    await site.close();
  }
}

const isTest = (name: string, password: string) => name === 'test' && password === 'test';
const invoices = '<h2>Open invoices</h2><p>The Anchor: 1,410</p>';

test('an account whose page is the answer itself is found, and not where no such account is', async () => {
  assert.is((await found(invoices, isTest)).count, 1);
  assert.is((await found(invoices, () => false)).count, 0);
});

test('a name for which the form is gone whatever the password, a message, and one thing more to enter are no entrance', async () => {
  for (const [behind, accepts] of [
    [invoices, (name: string) => name === 'test'],
    ['<p>This account is locked, please call us.</p>', isTest],
    ['<form method=post action=/second><input name=otp><button>Go on</button></form>', isTest],
  ] as const) {
    const { count, reason } = await found(behind, accepts);
    assert.is(count, 0, reason);
  }
});

test.run();
