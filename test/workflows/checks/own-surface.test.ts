import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownSurface } from '../../../workflows/checks/visitors/own-surface.ts';
import type { InputSurface, Surface } from '../../../workflows/model/surface.ts';

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

test.run();
