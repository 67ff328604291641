import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormSurface } from '../../../../workflows/model/surface.ts';
import { changesEntry, entryOfForm, entryOfRequest } from '../../../../workflows/probe/gate/entries.ts';

const test = suite('entries that requests work on');

/** A script gives back the texts of what it shows. */
const savedAt = (path: string): FormSurface => ({
  pageUrl: 'https://a.example/',
  action: `https://a.example${path}`,
  method: 'POST',
  enctype: 'application/json',
  fields: [
    { name: 'title', type: 'text', value: 'The oak of our street' },
    { name: 'text', type: 'text', value: 'It is old' },
  ],
});

test('the route that a parameter holds names an entry as a path does', () => {
  const named = (path: string) => entryOfRequest(savedAt(path))?.names;
  assert.equal(named('/posts/7/drafts'), ['/2=7']);
  assert.equal(named('/index.php?rest_route=%2Fposts%2F7%2Fdrafts&_locale=user'), ['rest_route/2=7']);
  assert.equal(named('/?r=post/update/7'), ['r/2=7']);
  for (const path of ['/drafts', '/index.php?rest_route=/posts', '/?next=https://a.example/posts/7', '/?day=1/7'])
    assert.is(named(path), undefined, path);
  assert.is(entryOfRequest(savedAt('/?r=post/update/7'))?.isShown, true);
});

test('an address that says so changes the entry that it names, also where its page shows nothing of it', () => {
  const empty = (path: string): FormSurface => ({
    ...savedAt(path),
    enctype: 'application/x-www-form-urlencoded',
    fields: [{ name: 'title', type: 'text', value: '' }],
  });
  const isShown = (path: string) => entryOfForm(empty(path))?.isShown;
  for (const path of [
    '/?controller=Lane&action=update&lane_id=2',
    '/lanes/2/edit',
    '/lanes/editLane?id=2',
    '/?r=lane/update/2',
  ])
    assert.equal([isShown(path), changesEntry(`https://a.example${path}`)], [true, true], path);
  for (const path of ['/lanes/2/notes', '/?controller=Lane&action=save&board_id=1', '/updates/2/replies'])
    assert.equal([isShown(path), changesEntry(`https://a.example${path}`)], [false, false], path);
  assert.is(isShown('/lanes/edit'), undefined);
});

test('an address that says so changes the entry that it names, also where a script sends what was typed', () => {
  const typed = (path: string): FormSurface => ({
    ...savedAt(path),
    fields: [{ name: 'value', type: 'text', value: 'test' }],
  });
  const isShown = (path: string) => entryOfRequest(typed(path))?.isShown;
  for (const path of ['/in-place.php?do=edit_post&pid=10', '/ajax?action=update&threadid=4', '/notes/7/edit'])
    assert.is(isShown(path), true, path);
  assert.is(isShown('/in-place.php?do=add_note&pid=10'), false);
  assert.is(isShown('/in-place.php?do=edit_post&paid=10'), undefined);
});

test.run();
