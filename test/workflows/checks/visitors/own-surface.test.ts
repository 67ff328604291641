import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cookieInputs } from '../../../../workflows/checks/inputs/cookie-inputs.ts';
import { ownSurface, withoutCookiesOf } from '../../../../workflows/checks/visitors/own-surface.ts';
import type { InputSurface, PageShape, PageSurface, Surface } from '../../../../workflows/model/surface.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('what a visitor alone is shown');

const url = 'http://site.localhost/api/ping';
const input: InputSurface = {
  ...{ method: 'POST', url, route: '/api/ping', parameter: 'host', in: 'body', sample: '', others: [] },
};
const surfaceWith = (inputs: InputSurface[]): Surface => ({
  ...{ url, host: 'site.localhost', addresses: [], origins: [], pages: [], forms: [], inputs },
  ...{ calls: [], explored: [], skipped: [], omitted: [] },
});

test('an input that an earlier visitor was shown is not looked at again', () => {
  assert.equal(ownSurface(surfaceWith([input]), [surfaceWith([input])]).inputs, []);
});

test('an input that was shut to earlier visitors is looked at as the first one who is let in', () => {
  const shut = surfaceWith([{ ...input, isShut: true }]);
  assert.equal(ownSurface(surfaceWith([input]), [shut]).inputs, [input]);
  assert.equal(ownSurface(surfaceWith([input]), [shut, surfaceWith([input])]).inputs, []);
});

const entry = 'http://site.localhost/index.php?page=';
/** What it shows is chosen by names that are no commands. */
const wiki = 'http://site.localhost/index.php?title=';
const shapeFrom = (first: number): PageShape => Array.from({ length: 16 }, (_, index) => first + index);
const pageAt = (name: string, shape: PageShape): PageSurface => ({
  ...{
    url: `${entry}${name}`,
    status: 200,
    contentType: 'text/html',
    headers: [],
    title: '',
    scripts: [],
    setCookies: [],
    source: '',
  },
  shape,
});
const inputAt = (name: string, parameter: string): InputSurface => ({
  ...{ method: 'GET', url: `${entry}${name}&${parameter}=1`, route: '/index.php', parameter, in: 'query' },
  ...{ sample: '1', others: [] },
});

test('a page of its own makes no other inputs of the same program its own', () => {
  const entryOf = (title: string, parameter: string): InputSurface => ({
    ...inputAt('', parameter),
    url: `${wiki}${title}`,
  });
  const [known, own] = [entryOf('List:1', 'sort'), entryOf('Upload:1', 'file')];
  const pageOf = ({ url: shown }: InputSurface, shape: PageShape) => ({ ...pageAt('', shape), url: shown });
  const nobody = { ...surfaceWith([known, own]), pages: [pageOf(known, shapeFrom(1)), pageOf(own, shapeFrom(1))] };
  const member = { ...nobody, pages: [pageOf(known, shapeFrom(1)), pageOf(own, shapeFrom(100))] };
  const { pages, inputs } = ownSurface(member, [nobody]);
  assert.equal([pages.map((page) => page.url), inputs], [[own.url], [own]]);
});

test('what works on a thing of a kind is known from others of that kind that earlier visitors were shown', () => {
  const programs = ['issues', 'activity', 'roadmap', 'search', 'wiki', 'files', 'news'];
  const projectOf = (name: string, shape: PageShape): Surface => {
    const urls = programs.map((program) => `http://site.localhost/projects/${name}/${program}`);
    const inputs = urls.map((at) => ({ ...input, url: at, route: new URL(at).pathname, parameter: 'sort' }));
    return { ...surfaceWith(inputs), pages: urls.map((at) => ({ ...pageAt('', shape), url: at })) };
  };
  const nobody = projectOf('garden', shapeFrom(1));
  const known = ownSurface(projectOf('kitchen', shapeFrom(1)), [nobody]);
  assert.equal([known.pages, known.inputs], [[], []]);
  const otherwise = ownSurface(projectOf('kitchen', shapeFrom(100)), [nobody]);
  assert.equal([otherwise.pages.length, otherwise.inputs.length], [programs.length, programs.length]);
});

test('of users alike one is looked at for the programs that work on what is their own', () => {
  const ownOf = (name: string, shape: PageShape, folder = 'notes') => {
    const edit = `http://site.localhost/${folder}/${name}/edit`;
    const title = { ...input, url: edit, route: `/${folder}/${name}/edit`, parameter: 'title' };
    return { ...surfaceWith([title]), pages: [{ ...pageAt('', shape), url: edit }] };
  };
  const [anna, bert, other] = [ownOf('anna', shapeFrom(1)), ownOf('bert', shapeFrom(1)), ownOf('bert', shapeFrom(100))];
  const shown = ({ pages, inputs }: Surface) => [pages.length, inputs.length];
  assert.equal(shown(ownSurface(bert, [anna], { users: [anna] })), [0, 0]);
  assert.equal(shown(ownSurface(bert, [anna])), [1, 1]);
  assert.equal(shown(ownSurface(other, [anna], { users: [anna] })), [1, 1]);
  const elsewhere = ownOf('bert', shapeFrom(1), 'shelves');
  assert.equal(shown(ownSurface(elsewhere, [anna], { users: [anna] })), [1, 1], 'another program of the same name');
  const further = { ...input, url: bert.pages[0]?.url ?? '', parameter: 'colour' };
  assert.equal(ownSurface({ ...bert, inputs: [further] }, [anna], { users: [anna] }).inputs, [further]);
});

test('of a site with one entry only the pages that a visitor alone is shown are looked at as this one', () => {
  const shared = { page: pageAt('list', shapeFrom(1)), input: inputAt('list', 'sort') };
  const own = { page: pageAt('account', shapeFrom(100)), input: inputAt('account', 'sort') };
  const anonymous = { ...surfaceWith([shared.input]), pages: [shared.page] };
  const member = { ...surfaceWith([shared.input, own.input]), pages: [shared.page, own.page] };
  const shown = ownSurface(member, [anonymous]);
  assert.equal(shown.pages, [own.page]);
  assert.equal(shown.inputs, [own.input]);
  assert.equal(ownSurface(member, [anonymous, member]).inputs, []);
});

const redirectTo = (location: string): PageSurface => ({
  ...pageAt('go', shapeFrom(1)),
  ...{ status: 302, contentType: '', headers: [['location', location]] },
});

test('a redirect that leads a visitor elsewhere than those before is looked at as this one', () => {
  const led = {
    input: inputAt('go', 'to'),
    login: redirectTo('/login?next=a'),
    on: redirectTo('https://b.example/c?d=1'),
  };
  const [anonymous, member] = [led.login, led.on].map((page) => ({ ...surfaceWith([led.input]), pages: [page] }));
  assert.ok(anonymous && member);
  assert.equal(ownSurface(member, [anonymous]).inputs, [led.input]);
  const again = { ...member, pages: [redirectTo('https://b.example/c?d=2')] };
  assert.equal(ownSurface(again, [anonymous, member]).inputs, []);
});

test('an input of a page that others are refused is a guest’s own, and for other visitors known where others know its address', async () => {
  const site = await startSite(() => html('<a href="/words">Words</a>'));
  const audit = await openAudit(site.url);
  try {
    const url = `${site.url}/card`;
    const input: InputSurface = {
      ...{ method: 'POST', url, route: '/card', parameter: 'words', in: 'body', sample: '', others: [] },
      page: { url: new URL('/words', site.url).href, tokens: [] },
    };
    const surface: Surface = { ...audit.context.surface, inputs: [input] };
    const isWords = (page: { url: string }) => page.url.endsWith('/words');
    const pages = surface.pages.map((page) => (isWords(page) ? { ...page, status: 302 } : page));
    assert.ok(pages.some(isWords));
    const refused: Surface = { ...surface, pages };
    assert.equal(ownSurface(surface, [refused], { isGuest: true }).inputs, [input]);
    assert.equal(ownSurface(surface, [refused]).inputs, []);
    assert.equal(ownSurface(surface, [surface], { isGuest: true }).inputs, []);
  } finally {
    await audit.close();
    await site.close();
  }
});

test('a cookie that users before were given is no input of a further one', async () => {
  const given = { 'set-cookie': 'taste=plain; Path=/' };
  const site = await startSite(() => html('<a href="/words">Words</a>', 200, given));
  const audit = await openAudit(site.url);
  try {
    const { surface } = audit.context;
    const cookiesOf = (each: Surface) => cookieInputs(each).map(({ parameter }) => parameter);
    assert.equal(cookiesOf(withoutCookiesOf(surface, [])), ['taste']);
    assert.equal(cookiesOf(withoutCookiesOf(surface, [surface])), []);
    const place = {
      method: 'GET',
      url: surface.url,
      route: '/',
      parameter: 'look',
      in: 'cookie',
      sample: 'light',
    } as const;
    const read: Surface = { ...surface, inputs: [{ ...place, others: [] }] };
    assert.equal(withoutCookiesOf(read, [read]).inputs, []);
    assert.equal(withoutCookiesOf(read, [surface]).inputs, read.inputs);
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
