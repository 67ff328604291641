import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRelease } from '../../../../workflows/checks/pages/scripts.ts';

const test = suite('script files of libraries');

test('a file that is published made smaller, with the number of its release, is one of a library', () => {
  for (const path of ['/js/mentions-5.1.3.min.js', '/js/sorter.2.0.11.umd.min.js?1713', '/a/picker@v1.4.0.min.mjs'])
    assert.ok(isRelease(`https://site.example${path}`), path);
});

test('files that a site numbers itself, or serves as they were written, are its own', () => {
  for (const path of [
    '/js/app-5.1.3.min.js',
    '/js/main.2.0.11.min.js',
    '/js/orders-1.2.0.js',
    '/js/orders.min.js',
    '/js/1.2.0/orders.min.js',
  ])
    assert.not.ok(isRelease(`https://site.example${path}`), path);
});

test.run();
