import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTurns } from '../../../../workflows/checks/inputs/in-turns.ts';
import type { InputSurface } from '../../../../workflows/model/surface.ts';

const test = suite('inputs in turns');

const at = (route: string, parameter: string, place: InputSurface['in'] = 'query'): InputSurface => ({
  method: 'GET',
  url: `https://shop.example${route}`,
  route,
  parameter,
  in: place,
  sample: '',
  others: [],
});
const order = (inputs: InputSurface[]) => inTurns(inputs).map(({ route, parameter }) => `${route} ${parameter}`);

test('each parameter comes once, then in other folders, then on further pages of a folder', () => {
  const lists = ['/amber', '/birch'].flatMap((folder) =>
    ['/a', '/b', '/c'].flatMap((leaf) => [at(folder + leaf, 'page'), at(folder + leaf, 'lang')]),
  );
  assert.equal(order([...lists, at('/find', 'q')]), [
    ...['/amber/a page', '/amber/a lang', '/find q'],
    ...['/birch/a page', '/birch/a lang'],
    ...['/amber/b page', '/amber/b lang', '/birch/b page', '/birch/b lang'],
    ...['/amber/c page', '/amber/c lang', '/birch/c page', '/birch/c lang'],
  ]);
});

test('two pages of a folder are not taken for the same code', () => {
  assert.equal(order([at('/a/list', 'id'), at('/a/item', 'id'), at('/b', 'q')]), ['/a/list id', '/b q', '/a/item id']);
});

test('places in paths are distinguished by their routes, and kinds of requests by their methods', () => {
  const paths = ['/a/{id}', '/b/{id}', '/c/{id}', '/d/{id}'].map((route) => at(route, '2', 'path'));
  const posted = { ...at('/a', 'q', 'body'), method: 'POST' };
  assert.equal(order([at('/a', 'q'), ...paths, posted]), [
    ...['/a q', '/a/{id} 2', '/b/{id} 2', '/c/{id} 2', '/d/{id} 2', '/a q'],
  ]);
});

test.run();
