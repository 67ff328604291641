import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusedPlaces } from '../../../workflows/activities/refused-places.ts';
import type { FormSurface, InputSurface, Surface } from '../../../workflows/model/surface.ts';
import { createGate } from '../../../workflows/probe/gate/gate.ts';
import { knowledgeOf } from '../../../workflows/probe/gate/knowledge.ts';
import { omittedAs } from '../../../workflows/survey/left-out.ts';

const test = suite('places that the gate refuses to checks');

const site = 'https://shop.example';

const input = (path: string, parameter: string): InputSurface => ({
  ...{ method: 'POST', url: site + path, route: path, parameter, in: 'body', sample: '', others: [] },
  contentType: 'application/x-www-form-urlencoded',
});

const form = (path: string): FormSurface => ({
  ...{ pageUrl: `${site}/`, action: site + path, method: 'POST', enctype: 'application/x-www-form-urlencoded' },
  fields: [{ name: 'text', type: 'text', value: '' }],
});

const surface = (...paths: string[]): Surface => ({
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
  forms: paths.map(form),
  inputs: paths.map((path) => input(path, 'text')),
});

const reported = (seen: Surface, others: Surface[] = []) => {
  const gate = createGate({ depth: 'deep', writes: 'reversible' });
  gate.learn(knowledgeOf([seen, ...others]));
  return refusedPlaces(seen, others, gate).map(({ code, count }) => [code, count]);
};

test('a form counts once, however many inputs it has, and by why it is refused', () => {
  const seen = surface('/notes', '/remarks');
  seen.inputs.push(input('/notes', 'more'));
  assert.equal(reported(seen), [['not_observed', 2]]);
});

test('what another visitor was shown is not counted again', () => {
  assert.equal(reported(surface('/notes', '/remarks'), [surface('/notes')]), [['not_observed', 1]]);
});

test('a form that was observed to read is no place that is left out', () => {
  const seen = surface('/notes');
  const gate = createGate({ depth: 'deep', writes: 'reversible' });
  gate.learn(knowledgeOf([seen]));
  const before = refusedPlaces(seen, [], gate).length;
  const open = { ...gate, decide: () => ({ allowed: true }) as const };
  assert.equal([before, refusedPlaces(seen, [], open).length], [1, 0]);
});

test('one place is reported in the singular', () => {
  assert.is(omittedAs('would_write', 1, '/notes').text, 'one form or request was not sent: it would write (/notes)');
  assert.is(
    omittedAs('would_write', 1200, '/notes').text,
    '1,200 forms and requests were not sent: they would write (for instance /notes)',
  );
});

test('a form that is sent in the address counts by its fields, though a page has its address', () => {
  const words = (...names: string[]) => names.map((name) => ({ name, type: 'text', value: '' }));
  const asked = (path: string, label: string, ...names: string[]): FormSurface => ({
    ...{ pageUrl: `${site}/`, action: site + path, method: 'GET', enctype: 'application/x-www-form-urlencoded' },
    ...{ label, fields: words(...names) },
  });
  const page = { status: 200, contentType: 'text/html', headers: [], setCookies: [], title: '', scripts: [] };
  const seen: Surface = {
    ...surface(),
    pages: [{ ...page, url: `${site}/archive`, source: `${site}/` }],
    forms: [asked('/archive', 'Delete', 'entry'), asked('/archive', 'Search', 'q'), asked('/ends', 'Log out', 'now')],
  };
  assert.equal(reported(seen), [['would_act', 2]]);
});

test('a form that the survey has left out counts once', () => {
  const url = `${site}/archive`;
  const form: FormSurface = {
    ...{ pageUrl: `${site}/`, action: url, method: 'GET', enctype: 'application/x-www-form-urlencoded' },
    ...{ label: 'Go', fields: [{ name: 'entry', type: 'text', value: '' }] },
  };
  const skipped = [{ url: `${url}?entry=`, code: 'not-observed' as const, reason: '' }];
  assert.equal(reported({ ...surface(), forms: [form] }), [['not_observed', 1]]);
  assert.equal(reported({ ...surface(), forms: [form], skipped }), []);
});

test.run();
