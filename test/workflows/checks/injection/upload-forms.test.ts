import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { takingForms } from '../../../../workflows/checks/injection/upload-forms.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('forms that take a file');

const form = (action: string, field: string) =>
  `<form method=post action="${action}" enctype=multipart/form-data><input type=file name=${field}><button>Send file</button></form>`;

/** Everybody is shown one form, the desk of the staff has two more. */
async function formsOf(writes: 'create' | 'reversible') {
  const site = await startSite(({ path, cookies }) => {
    if (path === '/') return html(`<a href="/photos">Photos</a>${cookies.sid ? '<a href="/desk">Desk</a>' : ''}`);
    if (path === '/photos') return html(form('/photos/send', 'photo'));
    if (path !== '/desk' || !cookies.sid) return undefined;
    return html(form('/desk/albums', 'album') + form('/desk/plugins', 'file'));
  });
  const cookie = (sid: string): [string, string][] => [['Cookie', `sid=${sid}`]];
  const identities = [{ name: 'boss', role: 'admin', headers: cookie('7f3a'), checkPath: '/', marker: 'Desk' }];
  const audit = await openAudit(site.url, { depth: 'deep', writes, identities });
  try {
    return takingForms(audit.context).map(({ identity, needs, input }) => [
      identity,
      needs,
      new URL(input.url).pathname,
    ]);
  } finally {
    await audit.close();
    await site.close();
  }
}

test('are sent by an administrator of a test system, too, where they install nothing', async () => {
  assert.equal(await formsOf('create'), [
    ['', 'N', '/photos/send'],
    ['boss', 'H', '/desk/albums'],
  ]);
});

test('are left to others where what stays is not allowed', async () => {
  assert.equal(await formsOf('reversible'), [['', 'N', '/photos/send']]);
});

test.run();
