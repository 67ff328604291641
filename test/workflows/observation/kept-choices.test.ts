import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withoutKeptChoices } from '../../../workflows/activities/held-choices.ts';
import { namedPaths } from '../../../workflows/checks/inputs/path-inputs.ts';
import { type ChoiceVerdict, choiceKey, observeChoices } from '../../../workflows/observation/kept-choices.ts';
import { html, type Request, startSite } from '../../fixtures/site.ts';
import { openAudit } from '../checks/harness.ts';

const test = suite('choices that an account keeps');

const orders = ['new', 'old', 'abc'];

/** Two lists of books with links for their order. @param orderOf what a list shows @param noticed a link was opened */
const shelves = ({ orderOf, noticed }: { orderOf(path: string): string; noticed?(order: string): void }) =>
  startSite(({ path }: Request) => {
    const [, list, order] = /^\/(series|authors)(?:\/(\w+))?\/\d+$/.exec(path) ?? [];
    if (path !== '/' && list === undefined) return undefined;
    if (order !== undefined) noticed?.(order);
    const name = list ?? 'series';
    const shown = order ?? orderOf(path);
    const links = orders.map(
      (each) => `<a class="btn${each === shown ? ' active' : ''}" href="/${name}/${each}/4">${each}</a>`,
    );
    return html(`<h1>${name}</h1><a href="/authors/4">Authors</a><a href="/series/4">Series</a>${links.join('')}`);
  });

async function observed(site: Awaited<ReturnType<typeof shelves>>, mayOpen = (_url: string) => true) {
  const audit = await openAudit(site.url);
  try {
    const { http, surface } = audit.context;
    const [recorded, opened]: [string[], string[]] = [[], []];
    const before = audit.requests();
    const verdicts = await observeChoices({
      choices: surface.choices ?? [],
      get: (url) => http.send({ url, fresh: true, maxRedirects: 3 }),
      mayOpen,
      record: async ({ opened: url }, verdict?: ChoiceVerdict) => {
        opened.push(url);
        recorded.push(verdict ?? 'opened');
      },
    });
    const observations = Object.fromEntries(
      [...verdicts].map(([key, verdict]) => [key, verdict === 'not-kept' ? 'reads' : 'writes'] as const),
    );
    const names = (shown: typeof surface) => namedPaths(shown).map(({ route }) => route);
    return {
      ...{ verdicts: [...verdicts.values()], recorded, opened, requests: audit.requests() - before, surface },
      ...{ named: names(surface), free: names(withoutKeptChoices(surface, observations)) },
    };
  } finally {
    await audit.close();
    await site.close();
  }
}

test('one that plain links make, and another address shows, is put back, and its place is left alone', async () => {
  let kept = 'new';
  const site = await shelves({
    orderOf: () => kept,
    noticed(order) {
      kept = order;
    },
  });
  const { verdicts, recorded, requests, named, free } = await observed(site);
  assert.equal([verdicts, recorded], [['put-back'], ['opened', 'put-back']]);
  assert.ok(named.includes('/series/{name}/{id}'));
  assert.equal(free, []);
  // Both lists have the same orders.
  assert.is(requests, 5);
});

test('a link that the gate refuses is neither opened nor recorded, and another one is tried for it', async () => {
  const site = () => shelves({ orderOf: () => 'new' });
  const one = await observed(await site(), (url) => !url.includes('/old/'));
  assert.ok(one.recorded.length > 0);
  assert.not(one.opened.some((url) => url.includes('/old/')));
  const none = await observed(await site(), () => false);
  assert.equal([none.verdicts, none.recorded], [[], []]);
});

test('a usual order that is always marked is no choice that is kept', async () => {
  const site = await shelves({ orderOf: () => 'new' });
  const { verdicts, requests, named, free } = await observed(site);
  assert.equal(verdicts, ['not-kept']);
  assert.equal(free, named);
  // Either list is asked.
  assert.is(requests, 6);
});

test('of lists with the same choice one that is kept speaks for those that are not, and for those that mark none', async () => {
  let kept = 'new';
  const lists = ['series', 'authors', 'plain'];
  const site = await startSite(({ path }: Request) => {
    const [, list = path === '/' ? 'series' : '', order] = /^\/(\w+)(?:\/(\w+))?\/\d+$/.exec(path) ?? [];
    if (!lists.includes(list)) return undefined;
    if (order !== undefined && list === 'authors') kept = order;
    const shown = order ?? (list === 'authors' ? kept : list === 'series' ? 'new' : undefined);
    const links = orders.map(
      (each) => `<a class="btn${each === shown ? ' active' : ''}" href="/${list}/${each}/4">${each}</a>`,
    );
    return html(
      `<h1>${list} ${path}</h1>${lists.map((each) => `<a href="/${each}/4">${each}</a>`).join('')}${links.join('')}`,
    );
  });
  const { verdicts, named, free } = await observed(site);
  assert.equal(verdicts, ['put-back']);
  for (const list of lists) assert.ok(named.includes(`/${list}/{name}/{id}`), list);
  assert.equal(free, []);
});

test('what nobody has tried is left alone with a session', async () => {
  const site = await shelves({ orderOf: () => 'new' });
  const { surface } = await observed(site);
  assert.ok((surface.choices ?? []).length > 0);
  assert.equal(namedPaths(withoutKeptChoices(surface, {})), []);
  assert.match(choiceKey(surface.choices?.[0] ?? { values: [] }), /^session choice abc new old$/);
});

test.run();
