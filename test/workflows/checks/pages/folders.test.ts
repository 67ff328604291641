import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkedOutFolders, siteFolders } from '../../../../workflows/checks/pages/folders.ts';
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

test.run();
