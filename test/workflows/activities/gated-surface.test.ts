import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatedSurface } from '../../../workflows/activities/gated-surface.ts';
import type { FormSurface, InputSurface, Surface } from '../../../workflows/model/surface.ts';
import { keysOfForm } from '../../../workflows/probe/gate/form-key.ts';
import { createGate } from '../../../workflows/probe/gate/gate.ts';

const test = suite('what checks are given of a surface');

const site = 'https://shop.example';
const formOn = (path: string): FormSurface => ({
  ...{ pageUrl: site + path, action: `${site}/notes`, method: 'POST', enctype: 'application/x-www-form-urlencoded' },
  fields: [{ name: 'text', type: 'text', value: '' }],
});

const surfaceOf = (forms: FormSurface[], inputs: InputSurface[] = []): Surface => ({
  ...{ url: `${site}/`, host: 'shop.example', addresses: [], origins: [], pages: [], calls: [], explored: [] },
  ...{ skipped: [], omitted: [], forms, inputs },
});

test('a form on a page that may not be looked at again is left out', () => {
  const surface = surfaceOf(['/reset-password', '/reset-password', '/notes'].map(formOn));
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
  assert.is(gatedSurface(surfaceOf([login]), createGate({ depth: 'standard', writes: 'reversible' })).forms.length, 1);
});

test('the gate is asked once for all inputs of a form, in whatever order its fields are sent', () => {
  const names = Array.from({ length: 200 }, (_, index) => `field${index}`);
  const form: FormSurface = { ...formOn('/notes'), fields: names.map((name) => ({ name, type: 'text', value: 'a' })) };
  const inputs = names.map((parameter): InputSurface => {
    const others = names.filter((name) => name !== parameter).map((name) => ({ name, value: 'a' }));
    return {
      ...{ method: 'POST', url: `${site}/notes`, route: '/notes', parameter, in: 'body', sample: 'a', others },
      contentType: 'application/x-www-form-urlencoded',
    };
  });
  let posts = 0;
  const gate = createGate({ depth: 'deep', writes: 'create' });
  const { exact } = keysOfForm(form);
  gate.learn({ forms: [form], observations: { [exact]: 'reads' } });
  const decide: typeof gate.decide = (request) => {
    posts += request.method === 'POST' ? 1 : 0;
    return gate.decide(request);
  };
  const given = gatedSurface(surfaceOf([form], inputs), { decide }).inputs;
  assert.is(given.filter(({ in: place }) => place === 'body').length, 200);
  assert.ok(posts < 5, `${posts} times`);
});

test('an input that is seen to store is marked on a test system, and held anywhere else', () => {
  const input: InputSurface = {
    ...{ method: 'POST', url: `${site}/notes`, route: '/notes', parameter: 'text', in: 'body', sample: '5' },
    ...{ others: [], contentType: 'application/x-www-form-urlencoded' },
  };
  const surface = surfaceOf([formOn('/notes')], [input]);
  const seenWith = (writes: 'create' | 'reversible') => {
    const gate = createGate({ depth: 'deep', writes });
    const { key, exact } = keysOfForm(formOn('/notes'));
    gate.learn({ forms: surface.forms, observations: { [key]: 'writes', [exact]: 'writes' } });
    return gatedSurface(surface, gate);
  };
  assert.equal(
    seenWith('create').inputs.map(({ isStored }) => isStored),
    [true],
  );
  assert.equal([seenWith('reversible').inputs.length, seenWith('reversible').heldInputs?.length], [0, 1]);
});

/** A page that a link chooses by its name, and that has a form in which the name stands along with a text. */
const chosenByName = (beside: Partial<InputSurface> = {}) => {
  const form: FormSurface = {
    ...{
      pageUrl: `${site}/?page=reach`,
      action: `${site}/`,
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
    },
    fields: [
      { name: 'page', type: 'hidden', value: 'reach' },
      { name: 'wish', type: 'text', value: '' },
    ],
  };
  const input: InputSurface = {
    ...{
      method: 'GET',
      url: `${site}/?page=reach&wish=a`,
      route: '/',
      parameter: 'page',
      in: 'query',
      sample: 'reach',
    },
    others: [{ name: 'wish', value: 'a' }],
    ...beside,
  };
  const gate = createGate({ depth: 'deep', writes: 'create' });
  const { exact } = keysOfForm(form);
  gate.learn({ forms: [form], observations: { [exact]: 'reads' } });
  return gatedSurface(surfaceOf([form], [input]), gate).inputs.find(({ in: place }) => place === 'query');
};

test('the name of a page is tried as links send it where with a text of its form only the form’s own may be sent', () => {
  const given = chosenByName();
  assert.equal([given?.url, given?.sample, given?.others], [`${site}/`, 'reach', []]);
});

test('the text is tried with what its form sends along', () => {
  const others = [{ name: 'page', value: 'reach' }];
  assert.equal(chosenByName({ parameter: 'wish', sample: 'a', others })?.others, others);
});

test.run();
