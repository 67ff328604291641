import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loginRecord, recordVisits, visitsRecord } from '../../../workflows/activities/visits-ledger.ts';
import type { WriteRecord } from '../../../workflows/activities/writes.ts';
import type { FormSurface, PageSurface } from '../../../workflows/model/surface.ts';

const site = 'https://wiki.example';
const pageOf = (path: string, status = 200): PageSurface => ({
  ...{ url: site + path, status, contentType: 'text/html', headers: [], setCookies: [], title: '' },
  ...{ scripts: [], source: 'link' },
});
const formOf = (path: string): FormSurface => ({
  ...{ pageUrl: site + path, action: `${site}/save`, method: 'POST', enctype: 'application/x-www-form-urlencoded' },
  fields: [{ name: 'text', type: 'textarea', value: '' }],
});
const describedOf = (pages: PageSurface[], ...withForm: string[]) =>
  visitsRecord('anna', { pages, forms: withForm.map(formOf) })?.description;

const test = suite('the ledger of visits');

test('names the pages with an editor that an account has opened, and the views that it chose', () => {
  const paths = ['/start?do=edit', '/notes/7/edit', '/media?mode=grid', '/start'];
  const text =
    describedOf(
      paths.map((path) => pageOf(path)),
      ...paths.slice(0, 2),
    ) ?? '';
  assert.match(text, ': /start?do=edit, /notes/7/edit; /media?mode=grid. Some sites lock');
});

test('names pages with an editor before views, which lock nothing', () => {
  const views = Array.from({ length: 20 }, (_, index) => pageOf(`/feed?mode=list${index}`));
  const text = describedOf(
    [...views, pageOf('/notes/7/edit'), pageOf('/notes/8/edit')],
    '/notes/7/edit',
    '/notes/8/edit',
  );
  assert.match(text ?? '', 'nothing was sent: /notes/7/edit, /notes/8/edit; /feed?mode=list0, ');
  assert.match(text ?? '', ' and 5 more.');
});

test('names an editor whose form a script sends, editors of files, and lists that are called so behind what is edited', () => {
  const paths = ['/edit.php?tag=clay', '/edit.php', '/post.php?post=9&action=edit', '/theme-editor.php?file=a.css'];
  const forms = paths.map((path) => ({ ...formOf(path), method: path.startsWith('/post') ? 'GET' : 'POST' }) as const);
  const text = visitsRecord('anna', { pages: paths.map((path) => pageOf(path)), forms })?.description ?? '';
  assert.match(
    text,
    ': /post.php?post=9&action=edit, /edit.php?tag=clay, /edit.php, /theme-editor.php?file=a.css. Some sites lock',
  );
  assert.is(describedOf([pageOf('/js/editor.js'), pageOf('/editorial')], '/editorial'), undefined);
});

test('names views that the path of an address chooses, also where it leads back to the page from before', () => {
  const text =
    describedOf([pageOf('/theme/dark', 302), pageOf('/set-language/de', 303), pageOf('/lang/de/intro')]) ?? '';
  assert.match(text, ': /theme/dark, /set-language/de. Some sites');
});

test('names a demo that was opened as nobody, and led on or gave a session, and no page that tells of one', () => {
  const session = { ...pageOf('/try-demo'), setCookies: ['session=a; Path=/'] };
  const pages = [pageOf('/demo', 302), session, pageOf('/blog/demo'), pageOf('/demo/3', 302), pageOf('/theme/dark')];
  const record = visitsRecord('', { pages, forms: [] });
  assert.match(record?.description ?? '', 'nothing was sent: /demo, /try-demo. Some sites make the demo then');
  assert.is(record?.identity, undefined);
});

test('names notifications, messages and exports that were opened as a user, each with what sites do then', () => {
  const news = ['/notification/12/', '/inbox', '/private-threads/5', '/account/messages/3'].map((path) => pageOf(path));
  const exports = [pageOf('/projects/1/export?type=csv'), pageOf('/orders/report.pdf', 500)];
  const text = describedOf([...exports, ...news]);
  assert.match(text ?? '', 'Pages that show news to the user or export something were opened and nothing was sent: ');
  assert.match(text ?? '', ': /notification/12/, /inbox, /private-threads/5, /account/messages/3; /projects/1/export');
  assert.match(text ?? '', 'Some sites mark as read what is opened or keep each export.');
  assert.is(visitsRecord('', { pages: [...exports, ...news], forms: [] }), undefined);
  assert.is(
    describedOf([
      pageOf('/notification/9', 404),
      pageOf('/settings/notifications/'),
      pageOf('/export', 403),
      pageOf('/reports/2024'),
      pageOf('/js/export.js?v=2'),
      pageOf('/style/report.css'),
    ]),
    undefined,
  );
});

test('names lists of what the user opened last, also as a part of a program with one address', () => {
  const paths = ['/recently-viewed', '/?route=/recent-table&ajax=1', '/recent', '/recent-changes'];
  const text = describedOf(paths.map((path) => pageOf(path)));
  assert.match(text ?? '', 'nothing was sent: /recently-viewed, /?route=/recent-table&ajax=1. Some sites add there');
});

test('names keys that were shown to a user, and the scale of a view', () => {
  const text = describedOf(
    ['/my/api_key', '/issues/gantt?zoom=3', '/profile/access-tokens', '/docs/keys'].map((path) => pageOf(path)),
  );
  assert.match(text ?? '', 'Pages that show a key of the user or choose a view were opened and nothing was sent: ');
  assert.match(
    text ?? '',
    ': /my/api_key, /profile/access-tokens; /issues/gantt?zoom=3. Some sites make the key then or',
  );
  assert.is(describedOf([pageOf('/my/api_key', 302), pageOf('/api/keyboards'), pageOf('/keys')]), undefined);
});

test('has no entry for pages that were refused, that show no form, or that are only read', () => {
  assert.is(
    describedOf([pageOf('/notes/7/edit', 403), pageOf('/notes/8/edit'), pageOf('/find?q=edit')], '/find?q=edit'),
    undefined,
  );
});

test('names what an application sends of itself as a browser logs in', () => {
  const record = loginRecord('anna', [{ method: 'POST', url: `${site}/settings/user` }]);
  assert.match(record?.description ?? '', 'sent of itself: POST /settings/user.');
  assert.is(loginRecord('anna', []), undefined);
});

test('has one entry for each account, which grows as further pages are opened, and none where nothing may be written', async () => {
  const kept = new Map<string, string>();
  const run = { recordWrite: async (write: WriteRecord) => void kept.set(write.id ?? '', write.description ?? '') };
  const grid = pageOf('/media?mode=grid');
  await recordVisits({ run, writes: 'none' }, 'anna', { pages: [grid], forms: [] });
  assert.is(kept.size, 0);
  for (const pages of [[grid], [grid, pageOf('/theme/dark')]])
    await recordVisits({ run, writes: 'reversible' }, 'anna', { pages, forms: [] });
  assert.is(kept.size, 1);
  assert.match([...kept.values()].join(), ': /media?mode=grid, /theme/dark. Some');
});

test.run();
