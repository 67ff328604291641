import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findAccounts } from '../../../workflows/activities/gaining.ts';
import { html, redirect, startSite } from '../../fixtures/site.ts';
import { openAudit } from '../checks/harness.ts';

const test = suite('accounts that a login accepts');

const login = `<h1>Office administration</h1><p>Demo account: kim / kim-2031</p>
  <form method="post"><input name="who"><input type="password" name="word"><button>Log in</button></form>`;

test('an account that a page shows is kept where the login gives no answer to the next one', async () => {
  const site = await startSite(({ method, path, body, cookies }) => {
    if (path === '/desk')
      return cookies.sid ? html('<h1>Desk of kim</h1><a href="/logout">Log out</a>') : redirect('/');
    if (path !== '/') return undefined;
    const sent = new URLSearchParams(body);
    if (method !== 'POST') return html(login);
    if (sent.get('who') === 'admin') return { headers: { 'content-length': '1', 'transfer-encoding': 'chunked' } };
    if (sent.get('who') !== 'kim' || sent.get('word') !== 'kim-2031') return html(`<p>Wrong.</p>${login}`);
    return redirect('/desk', 303, { 'set-cookie': 'sid=1; Path=/' });
  });
  const audit = await openAudit(site.url, { depth: 'deep' });
  const left: string[] = [];
  try {
    const found = await findAccounts({ ...audit.context, leave: ({ text }) => void left.push(text) });
    assert.equal(
      found.map(({ origin }) => origin),
      ['shown'],
    );
    assert.match(left.join(), /accounts were not tried/);
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
