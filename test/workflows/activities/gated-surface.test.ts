import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatedSurface } from '../../../workflows/activities/gated-surface.ts';
import type { FormSurface, Surface } from '../../../workflows/model/surface.ts';
import { createGate } from '../../../workflows/probe/gate/gate.ts';

const test = suite('what checks are given of a surface');

const site = 'https://shop.example';
const formOn = (path: string): FormSurface => ({
  ...{ pageUrl: site + path, action: `${site}/notes`, method: 'POST', enctype: 'application/x-www-form-urlencoded' },
  fields: [{ name: 'text', type: 'text', value: '' }],
});

test('a form on a page that may not be looked at again is left out', () => {
  const surface: Surface = {
    ...{
      url: `${site}/`,
      host: 'shop.example',
      addresses: [],
      origins: [],
      pages: [],
      calls: [],
      explored: [],
      skipped: [],
      omitted: [],
    },
    ...{ inputs: [], forms: ['/reset-password', '/reset-password', '/notes'].map(formOn) },
  };
  const gate = createGate({ depth: 'standard', writes: 'reversible' });
  const { forms } = gatedSurface(surface, gate);
  assert.equal(
    forms.map(({ pageUrl }) => pageUrl),
    [`${site}/notes`],
  );
});

test('the form of a login stays, so that its fields are known for what they are', () => {
  const login: FormSurface = {
    ...{
      pageUrl: `${site}/account/delete`,
      action: `${site}/login`,
      method: 'POST',
      enctype: 'text/plain',
      label: 'Log in',
    },
    fields: ['text', 'password'].map((type) => ({ name: type, type, value: '' })),
  };
  const surface: Surface = {
    ...{
      url: `${site}/`,
      host: 'shop.example',
      addresses: [],
      origins: [],
      pages: [],
      calls: [],
      explored: [],
      skipped: [],
      omitted: [],
    },
    ...{ inputs: [], forms: [login] },
  };
  assert.is(gatedSurface(surface, createGate({ depth: 'standard', writes: 'reversible' })).forms.length, 1);
});

test.run();
