import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CallSurface, PageSurface, Surface } from '../../../workflows/model/surface.ts';
import { pagesAround } from '../../../workflows/survey/pages-around.ts';

const test = suite('pages around a form');

const at = (path: string): string => `https://club.example${path}`;
const page = (path: string) =>
  ({ url: at(path), status: 200, contentType: 'text/html', source: at('/') }) as PageSurface;
const call = (path: string, from: string, more: Partial<CallSurface> = {}): CallSurface => ({
  ...{ method: 'GET', url: at(path), pageUrl: at(from) },
  ...more,
});
const around = (calls: CallSurface[]): string[] =>
  pagesAround({ url: at('/'), pages: ['/', '/members'].map(page), calls } as unknown as Surface, {
    url: at('/members/save.php'),
    pageUrl: at('/members'),
  }).pages.map((url) => new URL(url).pathname);

test('what the script of its page asks for is among them, whatever type it is answered with', () => {
  assert.equal(around([]), ['/members', '/']);
  assert.equal(around([call('/list.php', '/members')]), ['/members', '/list.php', '/']);
});

test('what scripts of other pages ask for is where it lies beside', () => {
  assert.equal(around([call('/list.php', '/news')]), ['/members', '/']);
  assert.equal(around([call('/members/list.php', '/news')]), ['/members', '/', '/members/list.php']);
});

test('what was not let out, what is sent and what other hosts are asked for is not', () => {
  const others = [
    call('/list.php', '/members', { held: true }),
    call('/list.php', '/members', { method: 'POST' }),
    { ...call('/', '/members'), url: 'https://cdn.example/list.php' },
  ];
  for (const each of others) assert.equal(around([each]), ['/members', '/'], JSON.stringify(each));
});

test.run();
