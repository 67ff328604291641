import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { oneOfEachKind } from '../../../../workflows/checks/sessions/others-entries.ts';
import type { FormSurface, InputSurface, Surface } from '../../../../workflows/model/surface.ts';

const test = suite('entries of which one is changed');

const origin = 'https://notes.example';
const formAt = (path: string, fields: Record<string, string>): FormSurface => ({
  ...{ pageUrl: origin + path, action: origin + path, method: 'POST', enctype: 'application/x-www-form-urlencoded' },
  fields: Object.entries(fields).map(([name, value]) => ({ name, type: 'text', value })),
});
const note = (id: number) => formAt(`/notes/${id}/edit`, { title: `Tide of day ${id}`, place: 'West pier' });
const account = formAt('/account', { street: '14 Harbour Lane' });
/** The gate holds what names an entry that the audit has not made. */
const held = (id: number): InputSurface => ({
  ...{ method: 'POST', url: `${origin}/notes/${id}/edit`, route: '/notes/{id}/edit', in: 'body', others: [] },
  ...{ parameter: 'title', sample: 'x', namesEntry: true },
});

function chosen(forms: FormSurface[], heldInputs: InputSurface[]) {
  const left: number[] = [];
  const surface: Surface = {
    ...{
      url: `${origin}/`,
      host: 'notes.example',
      addresses: [],
      origins: [],
      pages: [],
      inputs: [],
      calls: [],
      explored: [],
      skipped: [],
      omitted: [],
    },
    ...{ forms, heldInputs },
  };
  const found = oneOfEachKind({ leave: ({ count }) => left.push(count) }, forms, surface);
  return [found.map(({ action }) => action.slice(origin.length)), left];
}

test('of entries of one kind the one that the audit has made is changed, and forms of the account come first', () => {
  const forms = [note(5), note(6), note(7), account];
  assert.equal(chosen(forms, [held(5), held(7)]), [['/account', '/notes/6/edit'], [2]]);
});

test('of entries that were all there before one is changed, after those of the audit’s own', () => {
  const task = formAt('/tasks/3/edit', { note: 'Paint the hull' });
  assert.equal(chosen([note(5), note(6), task], [held(5), held(6)]), [['/tasks/3/edit', '/notes/5/edit'], [1]]);
});

test('a form of an account that is named by a number counts as the one entry of its kind', () => {
  assert.equal(chosen([formAt('/users/4', { street: '14 Harbour Lane' })], []), [['/users/4'], []]);
});

test.run();
