import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inputsToProbe, loginNames } from '../../../../workflows/checks/inputs/probe-inputs.ts';
import { beforeLogins, ofLogins } from '../../../../workflows/checks/visitors/login-requests.ts';
import type { InputSurface, Surface } from '../../../../workflows/model/surface.ts';

const test = suite('requests that let somebody in');

const site = 'https://shop.example';
const json = { body: '{"user":"a","password":"b"}', pointer: '/user' };
const input = (given: Partial<InputSurface>): InputSurface => ({
  ...{ method: 'POST', url: `${site}/api/session`, route: '/api/session', parameter: 'user', in: 'body' },
  ...{ sample: '', others: [], contentType: 'application/json' },
  ...given,
});
const name = input({ json });
const header = input({ json, in: 'header', parameter: 'X-Colour', url: `${site}/api/session/` });
const search = input({ url: `${site}/api/search`, parameter: 'q', json: { body: '{"q":"a"}', pointer: '/q' } });
const shown = input({ method: 'GET', in: 'query', parameter: 'next', url: `${site}/api/session?next=a` });
const surface = {
  ...{ url: site, host: 'shop.example', addresses: [], origins: [], pages: [], forms: [] },
  ...{ calls: [], explored: [], skipped: [], omitted: [], inputs: [name, header, search, shown] },
} satisfies Surface;

test('are spared, whatever part of them is tried', () => {
  assert.equal(beforeLogins(surface).inputs, [search, shown]);
});

test('are all that is looked at afterwards', () => {
  const alone = ofLogins(surface);
  assert.equal(inputsToProbe(alone), [header]);
  assert.is(loginNames(alone).length, 1);
});

test.run();
