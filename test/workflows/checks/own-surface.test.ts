import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownSurface } from '../../../workflows/checks/visitors/own-surface.ts';
import type { InputSurface, PageShape, PageSurface, Surface } from '../../../workflows/model/surface.ts';

const url = 'http://site.localhost/api/ping';
const input: InputSurface = {
  ...{ method: 'POST', url, route: '/api/ping', parameter: 'host', in: 'body', sample: '', others: [] },
};
const surfaceWith = (inputs: InputSurface[]): Surface => ({
  ...{ url, host: 'site.localhost', addresses: [], origins: [], pages: [], forms: [], inputs },
  ...{ calls: [], explored: [], skipped: [], omitted: [] },
});

const test = suite('what a visitor alone is shown');

test('an input that an earlier visitor was shown is not looked at again', () => {
  assert.equal(ownSurface(surfaceWith([input]), [surfaceWith([input])]).inputs, []);
});

test('an input that was shut to earlier visitors is looked at as the first one who is let in', () => {
  const shut = surfaceWith([{ ...input, isShut: true }]);
  assert.equal(ownSurface(surfaceWith([input]), [shut]).inputs, [input]);
  assert.equal(ownSurface(surfaceWith([input]), [shut, surfaceWith([input])]).inputs, []);
});

const entry = 'http://site.localhost/index.php?page=';
const shapeFrom = (first: number): PageShape => Array.from({ length: 16 }, (_, index) => first + index);
const pageAt = (name: string, shape: PageShape): PageSurface => ({
  ...{
    url: `${entry}${name}`,
    status: 200,
    contentType: 'text/html',
    headers: [],
    title: '',
    scripts: [],
    setCookies: [],
    source: '',
  },
  shape,
});
const inputAt = (name: string, parameter: string): InputSurface => ({
  ...{ method: 'GET', url: `${entry}${name}&${parameter}=1`, route: '/index.php', parameter, in: 'query' },
  ...{ sample: '1', others: [] },
});

test('of a site with one entry only the pages that a visitor alone is shown are looked at as this one', () => {
  const shared = { page: pageAt('list', shapeFrom(1)), input: inputAt('list', 'sort') };
  const own = { page: pageAt('account', shapeFrom(100)), input: inputAt('account', 'sort') };
  const anonymous = { ...surfaceWith([shared.input]), pages: [shared.page] };
  const member = { ...surfaceWith([shared.input, own.input]), pages: [shared.page, own.page] };
  const shown = ownSurface(member, [anonymous]);
  assert.equal(shown.pages, [own.page]);
  assert.equal(shown.inputs, [own.input]);
  assert.equal(ownSurface(member, [anonymous, member]).inputs, []);
});

test.run();
