import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { profileForms } from '../../../../workflows/checks/accounts/profile-forms.ts';
import { isNamedIn, readOwnForm } from '../../../../workflows/checks/sessions/own-forms.ts';
import type { FormSurface } from '../../../../workflows/model/surface.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('forms that show what they change');

const user = { name: 'ina', checkPath: '/', marker: '', cookies: { sid: 'a1' } };

/** Whether a form at this address, with this text, would be used. */
async function isUsed(path: string, value: string): Promise<boolean> {
  const field = `<input name="title" value="${value}"><input name="note" value="of stone">`;
  const site = await startSite(() => html(`<form method=post action="/save">${field}<button>Save</button></form>`));
  const audit = await openAudit(site.url, { depth: 'deep', identities: [user] });
  try {
    const form = { pageUrl: `${site.url}${path}`, action: `${site.url}/save`, method: 'POST', fields: [] };
    const { ina } = audit.context.identities;
    assert.ok(ina);
    return (await readOwnForm(audit.context, ina, form as unknown as FormSurface)) !== undefined;
  } finally {
    await audit.close();
    await site.close();
  }
}

test('are used, but for those that name the thing that their address names: another name would move it', async () => {
  assert.is(await isUsed('/profile', 'Old harbour'), true);
  assert.is(await isUsed('/move/Old_harbour', 'Old harbour'), false);
  assert.is(await isUsed('/rename?page=old%20harbour', 'Old harbour'), false);
  assert.is(await isUsed('/index?title=Move/Old_harbour', 'Old harbour'), false);
  assert.is(await isUsed('/pages/old-harbour/title', 'Old harbour'), false);
  assert.is(await isUsed('/move/User:Ina/Notes', 'User:Ina/Notes'), false);
  assert.is(await isUsed('/move/Old_harbour', 'New harbour'), true);
});

test('a form with a secret in it is left out, and said to be: its undo would hold that', async () => {
  const field = '<input name="title" value="Old harbour">';
  const secret = '<input name="apiSecret" value="9f8e7d6c5b4a39281706">';
  const counts = [];
  for (const fields of [field, field + secret]) {
    const form = `<form method="post" action="/save">${fields}<button>Save</button></form>`;
    const site = await startSite(({ path }) => (path === '/' ? html(form) : undefined));
    const audit = await openAudit(site.url, { depth: 'deep', identities: [user] });
    const { ina } = audit.context.identities;
    const left: string[] = [];
    const context = { ...audit.context, leave: ({ code }: { code: string }) => void left.push(code) };
    counts.push([ina && (await profileForms(context, ina, 2)).length, left]);
    await audit.close();
    await site.close();
  }
  assert.equal(counts, [
    [1, []],
    [0, ['would_write']],
  ]);
});

test('a form that moves a thing is no profile', async () => {
  const counts = [];
  for (const action of ['/save', '/index?title=Special:MovePage', '/rename']) {
    const form = `<form method="post" action="${action}"><input name="newTitle" value="Old harbour"><button>Save</button></form>`;
    const site = await startSite(({ path }) => (path === '/' ? html(form) : undefined));
    const audit = await openAudit(site.url, { depth: 'deep', identities: [user] });
    const { ina } = audit.context.identities;
    counts.push(ina && (await profileForms(audit.context, ina, 2)).length);
    await audit.close();
    await site.close();
  }
  assert.equal(counts, [1, 0, 0]);
});

test('a text is named by an address that has all of its words', () => {
  const at = 'http://site.localhost/index?title=Special:MovePage/User:Ann_Root';
  assert.equal(
    ['Ann Root', 'ann-root', 'Ann', 'Root of all', 'Lamp', 'An'].map((value) => isNamedIn(at, value)),
    [true, true, true, false, false, false],
  );
});

test.run();
