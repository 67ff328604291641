import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChoiceList } from '../../../workflows/survey/choice-list.ts';
import { choicesIn, isAtChoice, isBehindChoice } from '../../../workflows/survey/choices.ts';

const test = suite('choices that a page marks');

const site = 'https://books.example';
const read = (html: string, path = '/series/4') => choicesIn(html, site + path);
const links = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">x</a>`).join('');

test('are links that differ in one part of their path, of which one is marked', () => {
  const [choice, ...others] = read(
    `${links('/series/old/4', '/about')}<a class="btn active" href="/series/new/4">x</a>${links('/series/abc/4')}`,
  );
  assert.equal(choice, {
    ...{ pageUrl: `${site}/series/4`, route: '/series/{name}', parameter: '2', chosen: `${site}/series/new/4` },
    ...{ others: [`${site}/series/old/4`, `${site}/series/abc/4`], values: ['abc', 'new', 'old'] },
  });
  assert.is(others.length, 0);
});

test('are links that differ in one parameter, whether they are marked by a state or by what is around them', () => {
  for (const html of [
    `<a aria-current="true" href="?view=grid">x</a>${links('?view=list')}`,
    `<ul><li class="selected"><a href="?view=grid">x</a></li><li>${links('?view=list')}</li></ul>`,
  ]) {
    const [choice] = read(html);
    assert.equal([choice?.parameter, choice?.chosen], ['?view', `${site}/series/4?view=grid`], html);
  }
});

test('are those of a page that a menu marks by an address of its own', () => {
  const menu = '<li class="active"><a href="/series/stored">Series</a></li>';
  const [choice, ...others] = read(
    `${menu}<a class="active" href="/series/new/">x</a>${links('/series/old/')}`,
    '/series/stored',
  );
  assert.equal([choice?.values, choice?.chosen], [['new', 'old'], `${site}/series/new/`]);
  assert.is(others.length, 0);
});

test('are no menus that mark the page itself or its section, no pages of a list, and no links of which none is marked', () => {
  const menu = (href: string) => `<a class="active" href="${href}">x</a>${links('/authors', '/about')}`;
  assert.equal(read(menu('/series'), '/series'), []);
  assert.equal(read(menu('/series'), '/series/4'), []);
  assert.equal(read(`<a class="active" href="?page=1">1</a>${links('?page=2')}`), []);
  assert.equal(read(`<a class="active" href="/series/page/1">1</a>${links('/series/page/2')}`), []);
  assert.equal(read(`<a class="interactive" href="?view=grid">x</a>${links('?view=list')}`), []);
  assert.equal(read(`<a class="active" href="/tabs/b">x</a>${links('/tabs/a')}`, '/tabs/a'), []);
});

test('say which places of inputs they are, and which are behind them', () => {
  const choice = { route: '/series/{name}', parameter: '2', values: ['new', 'old'] };
  const input = { method: 'GET', in: 'path', url: `${site}/series/new/4` } as const;
  assert.ok(isAtChoice({ ...input, route: '/series/{name}/{id}', parameter: '2' }, choice));
  assert.not(isAtChoice({ ...input, route: '/author/{name}/{id}', parameter: '2' }, choice));
  assert.not(isAtChoice({ ...input, route: '/series/new/{id}', parameter: '3' }, choice));
  assert.ok(isBehindChoice({ ...input, route: '/series/new/{id}', parameter: '3' }, choice));
  assert.not(isBehindChoice({ ...input, route: '/series/edit/{id}', parameter: '3' }, choice));
  const query = { route: '/series', parameter: '?view' };
  assert.ok(
    isAtChoice({ method: 'GET', in: 'query', url: `${site}/series?view=a`, route: '', parameter: 'view' }, query),
  );
});

test('beyond the limit are counted, each once', () => {
  const list = createChoiceList();
  const choiceOf = (at: number) => ({
    ...{ pageUrl: site, route: `/${at}/{name}`, parameter: '2', chosen: `${site}/${at}/new` },
    ...{ others: [], values: ['new', 'old'] },
  });
  for (let at = 0; at < 203; at += 1) list.add([choiceOf(at), choiceOf(at)]);
  assert.is(list.all().length, 200);
  assert.equal(
    list.left().map(({ code, count }) => [code, count]),
    [['too_many', 3]],
  );
  assert.equal(createChoiceList().left(), []);
});

test.run();
