import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { htmlPages } from '../../../../workflows/checks/pages/html-pages.ts';
import { emptySurface } from '../../support/checks.ts';

const test = suite('pages that stand for a site');

test('there is one of each route, and one of each part of a program that has one address', () => {
  const page = (path: string) => ({
    ...{ url: `https://shop.example${path}`, status: 200, contentType: 'text/html', title: '', source: 'link' },
    ...{ headers: [], setCookies: [], scripts: [] },
  });
  const pages = ['/order/1', '/order/2', '/?view=cart', '/?view=offers&id=1', '/?view=offers&id=2'].map(page);
  assert.equal(
    htmlPages({ ...emptySurface('https://shop.example/'), pages }).map(({ url }) => url.replace(/.*example/, '')),
    ['/order/1', '/?view=cart', '/?view=offers&id=1'],
  );
});

test.run();
