import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkedOutFolders, foldersAtMost, siteFolders } from '../../../../workflows/checks/pages/folders.ts';
import type { Omitted } from '../../../../workflows/model/omission.ts';
import type { Surface } from '../../../../workflows/model/surface.ts';

const test = suite('folders of a site');

const page = (url: string, contentType: string) => ({ url, contentType, status: 200 });
const origin = 'http://shop.example';
const surface = {
  origins: [{ origin }],
  pages: [
    page(`${origin}/blog/news`, 'text/html'),
    page(`${origin}/assets/css/main.css?v=3`, 'text/css'),
    page(`${origin}/theme/code`, 'application/javascript'),
    page(`${origin}/lib/a.js`, 'text/plain'),
  ],
} as unknown as Surface;
const context = { surface, leave: () => {} };

test('are those of pages where an application may lie, and of scripts and styles as well where a repository may', () => {
  const at = (...paths: string[]) => paths.map((path) => `${origin}/${path}`);
  assert.equal(siteFolders(context, 9), at('', 'blog/'));
  assert.equal(checkedOutFolders(context, 9), at('', 'blog/', 'assets/', 'theme/', 'lib/', 'assets/css/'));
});

test('folders that many others stand beside are of one kind, and those of the site itself are not', () => {
  const leftOf = (names: string[], below: string) => {
    const left: Omitted[] = [];
    const folders = [`${origin}/`, ...names.map((name) => `${origin}/${below}${name}/`)];
    const chosen = foldersAtMost({ leave: (omitted) => void left.push(omitted) }, folders, 6);
    return [chosen.length, ...left.map(({ code, count }) => `${code} ${count}`)];
  };
  const names = 'harbour mill bridge ferry tower market station garden museum'.split(' ');
  assert.equal(leftOf(names, 'topics/'), [6, 'alike 4']);
  assert.equal(leftOf(names, ''), [6, 'too_many 4']);
  assert.equal(leftOf(names.slice(0, 7), 'topics/'), [6, 'too_many 2']);
});

test.run();
