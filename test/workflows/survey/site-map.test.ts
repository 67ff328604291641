import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { InputSurface, Surface } from '../../../workflows/model/surface.ts';
import { storedSiteMap } from '../../../workflows/survey/site-map.ts';
import { fieldOf, listOf } from '../../contract/support/values.ts';

const test = suite('the site map of a visitor');

const surface = (inputs: InputSurface[]): Surface => ({
  ...{ url: 'https://a.example/', host: 'a.example', addresses: [], origins: [], pages: [], forms: [], inputs },
  ...{ calls: [], explored: [], skipped: [], omitted: [] },
});
const input = (route: string, parameter: string): InputSurface => ({
  ...{ method: 'GET', url: `https://a.example${route}`, route, parameter, in: 'query', sample: '', others: [] },
});

test('has no more than there is room for, however long names are, and counts the rest', () => {
  const long = Array.from({ length: 400 }, (_, index) => input(`/${index}${'x'.repeat(2_000)}`, 'q'));
  const map = storedSiteMap(surface(long), '');
  assert.ok(JSON.stringify(map).length < 512 * 1024, `${JSON.stringify(map).length} characters`);
  assert.is(listOf(map, 'routes').length + Number(fieldOf(map, 'furtherRoutes')), 400);
});

test('names a hundred inputs of a route, and counts the rest', () => {
  const many = Array.from({ length: 130 }, (_, index) => input('/search', `q${index}`));
  const [route] = listOf(storedSiteMap(surface(many), ''), 'routes');
  assert.equal([listOf(route, 'inputs').length, fieldOf(route, 'furtherInputs')], [100, 30]);
});

test.run();
