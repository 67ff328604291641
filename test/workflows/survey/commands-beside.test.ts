import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commandsBeside } from '../../../workflows/survey/commands-beside.ts';

const test = suite('commands beside others');

const refusedOf = (...queries: string[]): string[] =>
  [
    ...commandsBeside(queries.map((query) => ({ url: `http://site.example/index.html?${query}`, text: '' }))).keys(),
  ].map((url) => new URL(url).search.slice(1));

test('act where most others of their parameter do, by whatever words', () => {
  const rows = ['action=restart&name=a', 'action=clearlog&name=a', 'action=bounce&name=a', 'action=bounce&name=b'];
  assert.equal(refusedOf(...rows), ['action=bounce&name=a', 'action=bounce&name=b']);
});

test('are as before where they show something or a form, or where most others only show', () => {
  assert.equal(refusedOf('do=delete&id=1', 'do=approve&id=1', 'do=edit&id=1', 'do=view&id=1', 'do=history&id=1'), []);
  assert.equal(refusedOf('action=delete', 'action=remove', 'action=faq', 'action=team', 'action=prices'), []);
  assert.equal(refusedOf('action=delete', 'action=faq'), []);
  assert.equal(refusedOf('name=delete', 'name=remove', 'name=anna'), []);
});

test('are compared among those of one part of the site', () => {
  const acting = [
    'controller=Task&action=remove&id=1',
    'controller=Task&action=close&id=1',
    'controller=Task&action=delete',
  ];
  assert.equal(refusedOf(...acting, 'controller=Dashboard&action=projects', 'controller=Activity&action=user'), []);
  assert.equal(refusedOf(...acting, 'controller=Task&action=bounce'), ['controller=Task&action=bounce']);
});

test.run();
