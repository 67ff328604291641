import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { escapeHtml, html, startSite } from '../../fixtures/site.ts';
import { testBrowsers } from '../../support/browsers.ts';
import { openAudit } from '../checks/harness.ts';

const browsers = testBrowsers();
const test = suite('forms with several buttons');
test.after(() => browsers.close());

const form = `<h1>New note</h1><form method="post" action="/notes/new" enctype="multipart/form-data">
  <input name="title"><textarea name="text"></textarea>
  <input type="submit" value="Keep"><input type="submit" name="_more" value="Keep and go on"><input type="submit" name="_edit" value="Keep and edit">
</form><script>document.querySelector('input').addEventListener('change', () => {});</script>`;

test('are sent once, though the browser saw a request of each button', async () => {
  const notes: string[] = [];
  const site = await startSite(({ method, path, body }) => {
    if (path === '/notes/new' && method === 'POST') {
      notes.push(/name="title"\r\n\r\n([^\r]*)/.exec(body)?.[1] ?? '');
      return { status: 302, headers: { location: '/' } };
    }
    if (path === '/')
      return html(
        `<a href="/notes/new">New</a><ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul>`,
      );
    return path === '/notes/new' ? html(form) : undefined;
  });
  try {
    const audit = await openAudit(site.url, { browsers, depth: 'deep' });
    await audit.close();
    assert.is(notes.length, 1, notes.join());
  } finally {
    await site.close();
  }
});

test.run();
