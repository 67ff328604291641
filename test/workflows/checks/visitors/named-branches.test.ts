import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { namedBranches } from '../../../../workflows/checks/visitors/named-branches.ts';

const test = suite('names of things of one kind');
const site = 'http://site.localhost';
const below = (branch: string, programs: readonly string[]) => programs.map((program) => `${site}${branch}/${program}`);
const ofProject = ['issues', 'issues/new', 'activity', 'roadmap', 'search', 'wiki', 'files', 'news'];
const ofThing = ['list', '7', 'add', '7/edit', '7/delete', 'export'];

test('are left open where the same many programs are below them', () => {
  const openRoute = namedBranches([
    ...below('/projects/garden', ofProject),
    ...below('/projects/kitchen', [...ofProject.slice(1), 'boards']),
    ...below('/projects', ['new']),
  ]);
  assert.is(openRoute('/projects/garden/issues'), '/projects/{name}/issues');
  assert.is(openRoute('/projects/kitchen/boards?view=list'), '/projects/{name}/boards?view=list');
  assert.is(openRoute('/projects/new'), '/projects/new');
  assert.is(openRoute('/issues'), '/issues');
});

test('are kept where they are kinds of things, which are listed, added and changed alike', () => {
  const openRoute = namedBranches([...below('/admin/users', ofThing), ...below('/admin/orders', ofThing)]);
  assert.is(openRoute('/admin/orders/list'), '/admin/orders/list');
});

test('are kept where only one of them has so many programs', () => {
  const openRoute = namedBranches([...below('/projects/garden', ofProject), ...below('/projects/kitchen', ['wiki'])]);
  assert.is(openRoute('/projects/garden/issues'), '/projects/garden/issues');
});

test.run();
