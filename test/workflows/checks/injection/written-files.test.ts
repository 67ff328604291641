import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileExistence } from '../../../../workflows/checks/injection/file-existence.check.ts';
import { pathTraversal } from '../../../../workflows/checks/injection/path-traversal.check.ts';
import { mayBeWritten } from '../../../../workflows/checks/injection/written-files.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('files that may be written to');

const version = 'Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0)';

/** A page that keeps a text in a file; of the system it has the file of the kernel. @param resolve what becomes of the name */
const notes =
  (asked: string[], resolve: (name: string) => string): Handler =>
  ({ path, query }) => {
    if (path === '/') return html('<a href="/note?file=lamps.txt&amp;content=bright">Lamps</a>');
    if (path !== '/note') return undefined;
    const name = resolve(query.get('file') ?? '');
    asked.push(name);
    return html(/^(?:\.\.\/)+proc\/version$/.test(name) ? `<pre>${version}</pre>` : '<p>Saved.</p>');
  };

test('are never those of the system that the account of the server could destroy, and show a traversal all the same', async () => {
  for (const [resolve, expected] of [
    [(name: string) => name, ['GET /note file']],
    [(name: string) => name.replace(/^.*\//s, ''), []],
  ] as const) {
    const asked: string[] = [];
    const site = await startSite(notes(asked, resolve));
    const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
    try {
      assert.equal(places(await check(audit, pathTraversal)), expected);
      await check(audit, fileExistence);
      assert.equal(
        asked.filter((name) => /etc\/|passwd|group|hosts/.test(name)),
        [],
      );
    } finally {
      await audit.close();
      await site.close();
    }
  }
});

test('are told by a text beside the name, by words of the address, and by what the page says', () => {
  const reads = { method: 'GET', others: [], url: 'http://shop.example/store/export', parameter: 'file' };
  assert.not.ok(mayBeWritten(reads, '<p>The file lamps.txt was uploaded by Ann</p>'));
  assert.ok(mayBeWritten({ ...reads, method: 'POST' }, ''));
  assert.ok(mayBeWritten({ ...reads, others: [{ name: 'content', value: 'x' }] }, ''));
  assert.ok(mayBeWritten({ ...reads, url: 'http://shop.example/saveNote' }, ''));
  assert.ok(mayBeWritten(reads, '<p>Now ready to write to file lamps.txt</p>'));
});

test.run();
