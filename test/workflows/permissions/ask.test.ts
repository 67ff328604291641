import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isSuccess } from '../../../workflows/permissions/answer.ts';
import { html, type Request } from '../../fixtures/site.ts';
import { further } from '../../support/further.ts';
import { ask, cellsOf, type Person, page, personOf, siteWith } from './support.ts';

const test = suite('asking as each visitor');
const nothing = { ann: [], bob: [], root: [] };

further(test)(
  'reports answers that are longer than what is compared, and compares texts beyond the first 400',
  async () => {
    const texts = (count: number) =>
      Array.from({ length: count }, (_, index) => `<p>Remark ${index} of all</p>`).join('');
    const links = { ann: ['/long', '/longest', '/large', '/short'], bob: [], root: [] };
    const asked = await ask(
      siteWith(links, {
        '/long': (reader) => page(reader, texts(600)),
        '/longest': (reader) => page(reader, texts(2_100)),
        '/large': (reader) => page(reader, `<!--${'x'.repeat(130 * 1024)}-->`),
        '/short': (reader) => page(reader, '<p>Short page</p>'),
      }),
    );
    const answersOf = (path: string) =>
      asked.rows.flatMap(({ address, answers }) => (address.url.endsWith(path) ? answers : [])).filter(isSuccess);
    const cut = (path: string) => answersOf(path).map(({ isCut }) => isCut);
    assert.equal(cut('/longest'), [true, true, true, true]);
    assert.equal(cut('/large'), [true, true, true, true]);
    assert.equal(cut('/short'), [false, false, false, false]);
    assert.ok(answersOf('/long').every(({ texts, isCut }) => texts.size > 600 && !isCut));
  },
);

test('sends GET and nothing else, and follows no redirect', async () => {
  const seen: string[] = [];
  const plain = siteWith(nothing, {});
  const handler = (request: Request) => {
    seen.push(request.method);
    return plain(request);
  };
  const { site } = await ask(handler);
  assert.equal([...new Set(seen)], ['GET']);
  assert.ok(site.requests.includes('GET /account'));
  assert.not(
    site.requests.some((line) => line.includes('next=')),
    'a redirect was followed',
  );
});

test('never asks for what may do something, nor for what is excluded', async () => {
  const links = { ann: ['/orders/1/delete', '/internal/notes', '/orders/1'], bob: [], root: [] };
  const pages = { '/orders/1': (reader: Person | undefined) => page(reader, '<h1>Order number one</h1>') };
  const asked = await ask(siteWith(links, pages), { excludedPaths: ['/internal'] });
  assert.not(
    asked.site.requests.some((line) => /logout|delete|internal/.test(line)),
    asked.site.requests.join(),
  );
  assert.ok(asked.site.requests.includes('GET /orders/1'));
  for (const path of ['/logout', '/orders/1/delete', '/internal/notes'])
    assert.equal(cellsOf(asked, path), Array(4).fill('not_tried'), path);
});

test('asks each address once without a login and at most twice as each identity', async () => {
  const { site } = await ask(siteWith(nothing, {}));
  const times = (path: string) => site.requests.filter((line) => line === `GET ${path}`).length;
  assert.is(times('/account'), 1 + 3 * 2);
  assert.ok(times('/prices') >= 1 + 3 && times('/prices') <= 1 + 3 * 2);
});

test('asks a second time only for what may be another with each load', async () => {
  const names = ['oak', 'elm', 'ash', 'fir', 'yew'];
  const links = { ann: names.map((name) => `/${name}/wood`), bob: [], root: [] };
  const pages = Object.fromEntries(
    names.map((name) => [
      `/${name}/wood`,
      (reader: Person | undefined) => page(reader, `<p>The wood of ${name} is for all</p>`),
    ]),
  );
  const { site } = await ask(siteWith(links, pages));
  const asked = site.requests.filter((line) => line.endsWith('/wood')).length;
  // Those that are asked for beside the first page that shows a frame of the site are asked for twice.
  assert.ok(asked <= 5 * (1 + 3) + 4 * 3, `${asked} requests`);
  assert.is(site.requests.filter((line) => line === 'GET /yew/wood').length, 1 + 3);
});

test('asks once as each of those who are shown the same', async () => {
  const wood = (reader: Person | undefined) =>
    reader ? html('<p>The wood of users</p>') : html('<p>Log in to see the wood</p>', 403);
  const { site } = await ask(siteWith({ ann: ['/wood'], bob: [], root: [] }, { '/wood': wood }));
  assert.is(site.requests.filter((line) => line === 'GET /wood').length, 1 + 3);
});

test('asks again for what it asked for with a session that had ended', async () => {
  let isOut = false;
  const plain = siteWith(nothing, {});
  const site = (request: Request) => {
    const isAnn = personOf(request) === 'ann';
    return plain(isAnn && isOut ? { ...request, cookies: {} } : request);
  };
  let renewals = 0;
  const asked = await ask(
    (request) => {
      const answer = site(request);
      // The first page that ann is asked for after the surveys ends her session.
      if (renewals === 0 && personOf(request) === 'bob' && request.path === '/account') isOut = true;
      return answer;
    },
    {
      renew: async () => {
        renewals += 1;
        isOut = false;
        return renewals === 1 ? ['ann'] : [];
      },
    },
  );
  assert.is(renewals, 2);
  assert.equal(cellsOf(asked, '/account')?.slice(0, 2), ['login', 'shown private']);
});

test('a session that ends each time is no answer, and says so', async () => {
  const asked = await ask(siteWith(nothing, {}), { renew: async () => ['bob'] });
  assert.equal(cellsOf(asked, '/account'), ['login', 'shown private', 'not_tried', 'shown private']);
  const [, , bob] = asked.matrix.addresses?.[0]?.permissions ?? [];
  assert.is(bob?.detail, 'the session of bob ended meanwhile');
});

test('the session of somebody who has no column changes none', async () => {
  const asked = await ask(siteWith(nothing, {}), { renew: async () => ['somebody else'] });
  assert.equal(cellsOf(asked, '/account'), ['login', 'shown private', 'shown private', 'shown private']);
});

test('when the time is up nothing more is asked for, and it is said', async () => {
  const asked = await ask(siteWith(nothing, {}), { endMs: 0 });
  assert.equal(asked.site.requests, []);
  assert.equal(cellsOf(asked, '/prices'), Array(4).fill('not_tried'));
  assert.is(asked.matrix.addresses?.[0]?.permissions?.[0]?.detail, 'the time for asking was up');
});

test('sessions that cannot be looked at are no answer, but what is there without a login is', async () => {
  const asked = await ask(siteWith(nothing, {}), {
    renew: async () => {
      throw new Error('the login no longer works');
    },
  });
  assert.equal(cellsOf(asked, '/prices'), ['shown', 'not_tried', 'not_tried', 'not_tried']);
  assert.match(asked.matrix.addresses?.[0]?.permissions?.[1]?.detail ?? '', 'the login no longer works');
});

test('a budget that is used up leaves cells that were not tried, and makes nothing private', async () => {
  const asked = await ask(siteWith(nothing, {}), { maxRequests: 3 });
  const cells = asked.matrix.addresses?.flatMap(({ permissions = [] }) => permissions) ?? [];
  assert.is(asked.site.requests.length, 3);
  assert.ok(cells.some(({ detail }) => /used up/.test(detail ?? '')));
  const withoutStranger = asked.matrix.addresses?.filter(({ permissions }) => permissions?.[0]?.status === 0) ?? [];
  assert.ok(withoutStranger.length > 0);
  assert.not(withoutStranger.some(({ permissions }) => permissions?.some((cell) => cell.private)));
});

test.run();
