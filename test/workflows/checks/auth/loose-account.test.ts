import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { looseLogin } from '../../../../workflows/checks/auth/loose-login.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('a list as the password of one account');

const form = `<h1>Mühle</h1><form method=post><input name=user value=admin><input type=password name=pw><button>Anmelden</button></form>`;
const inside = '<h1>Mühle</h1><p>Verwaltung: elf Säcke Roggen</p>';

type Sent = { name: string; isList: boolean };

/** A login on the first page, in words that nothing else goes by. @param answer what is shown instead of the form */
async function found(answer: (sent: Sent) => string | undefined): Promise<string[]> {
  const site = await startSite(({ method, path, body }) => {
    if (path !== '/') return undefined;
    const fields = new URLSearchParams(body);
    const sent = { name: fields.get('user') ?? '', isList: fields.has('pw[]') };
    return html((method === 'POST' && answer(sent)) || form + (method === 'POST' ? '<p>Das war nichts.</p>' : ''));
  });
  const audit = await openAudit(site.url, { depth: 'deep' });
  try {
    return places(await check(audit, looseLogin));
  } finally {
    await audit.close();
    await site.close();
  }
}

const isAdmins = ({ name, isList }: Sent): boolean => isList && name === 'admin';

test('it is found where the answer has no word of a session', async () => {
  assert.equal(await found((sent) => (isAdmins(sent) ? inside : undefined)), ['POST / pw']);
});

test('an account that breaks on a list is not open', async () => {
  const broken = '<h1>Mühle</h1><p>strcmp() expects parameter 1 to be string, array given</p>';
  assert.equal(await found((sent) => (isAdmins(sent) ? broken : undefined)), []);
});

further(test)('a page for whoever sends a list is no entrance', async () => {
  assert.equal(await found(({ isList }) => (isList ? '<h1>Mühle</h1><p>Roggen und Weizen</p>' : undefined)), []);
});

further(test)('a page for the name alone is no entrance', async () => {
  assert.equal(await found(({ name }) => (name === 'admin' ? inside : undefined)), []);
});

test.run();
