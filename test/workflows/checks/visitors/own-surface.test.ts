import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cookieInputs } from '../../../../workflows/checks/injection/cookie-inputs.ts';
import { ownSurface, withoutCookiesOf } from '../../../../workflows/checks/visitors/own-surface.ts';
import type { InputSurface, Surface } from '../../../../workflows/model/surface.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('what a visitor alone is shown');

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
    assert.equal(ownSurface(surface, [refused], true).inputs, [input]);
    assert.equal(ownSurface(surface, [refused]).inputs, []);
    assert.equal(ownSurface(surface, [surface], true).inputs, []);
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
