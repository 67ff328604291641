import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProvenLogin } from '../../../workflows/model/proven-login.ts';
import type { Surface } from '../../../workflows/model/surface.ts';
import { opened, store } from '../../../workflows/run/store.ts';

/** What core does with artifacts and secrets: the newest of a name, or the one of a hash; a name is taken once. */
function coreOf() {
  const artifacts: { name: string; ref: string; content: Uint8Array }[] = [];
  const secrets = new Map<string, string>();
  return {
    artifacts,
    secrets,
    async putArtifact(name: string, _type: string, content: Uint8Array) {
      const ref = createHash('sha256').update(content).digest('hex');
      artifacts.push({ name, ref, content });
      return ref;
    },
    findArtifact: async (ref: string) =>
      artifacts.findLast((artifact) => artifact.name === ref || artifact.ref === ref)?.content,
    async putSecret(ref: string, value: string) {
      secrets.set(ref, value);
    },
    openSecret: async (ref: string) => secrets.get(ref) ?? '',
    findSecret: async (ref: string) => secrets.get(ref),
  };
}

const surface: Surface = {
  ...{ url: 'https://shop.example/', host: 'shop.example', addresses: ['192.0.2.1'] },
  origins: [
    {
      origin: 'https://shop.example',
      scheme: 'https',
      host: 'shop.example',
      port: 443,
      status: 200,
      headers: [['A', 'b']],
    },
  ],
  pages: [
    {
      ...{ url: 'https://shop.example/', status: 200, contentType: 'text/html', headers: [], setCookies: ['a=b'] },
      ...{
        title: 'Shop',
        scripts: [{ inlineBytes: 3 }, { url: 'https://shop.example/a.js' }],
        source: 'target',
        shape: [1, 2],
        loaded: ['https://shop.example/a.js'],
        hashRoutes: [{ fragment: '/find?q=a', loaded: ['https://shop.example/find.js'] }],
      },
    },
  ],
  forms: [
    {
      ...{ pageUrl: 'https://shop.example/', action: 'https://shop.example/find', method: 'POST', enctype: '' },
      fields: [{ name: 'q', type: 'text', value: '', options: ['a'], isRequired: true, accept: 'image/png' }],
      ...{ isSearch: true, takesAnybody: true, label: 'Find', otherButtons: [{ name: 'clear', value: '1' }] },
    },
  ],
  inputs: [
    {
      ...{ method: 'POST', url: 'https://shop.example/find', route: '/find', parameter: 'q', in: 'body', sample: '' },
      others: [{ name: 'a', value: 'b' }],
      page: {
        url: 'https://shop.example/',
        tokens: [
          ...[{ field: 'csrf' }, { header: 'X-A', cookie: 'b' }, { header: 'X-A', meta: 'b' }],
          { header: 'X-A', behind: 'let b = "' },
        ],
      },
    },
  ],
  calls: [],
  explored: [],
  skipped: [{ url: 'https://shop.example/logout', code: 'ends-session', reason: 'it may end a session' }],
  omitted: [{ code: 'would_act', count: 2, text: '2 links were left out', places: ['GET /a'] }],
};

const test = suite('what a run keeps in core');

test('a proven login keeps its role, by which those who administrate look last, and all that its steps send', async () => {
  const run = coreOf();
  const fields = [{ name: 'variables.name', holds: 'username' as const }];
  const url = 'https://shop.example/graphql';
  const step = {
    url,
    method: 'POST' as const,
    encoding: 'json' as const,
    fields,
    body: '{"query":"mutation { enter }"}',
  };
  const login: ProvenLogin = {
    ...{ name: 'a', role: 'admin', checkUrl: 'https://shop.example/me', marker: 'Ann', inBrowser: false, isKept: true },
    account: { username: 'ann', pages: [] },
    recipe: { kind: 'json', steps: [step], sends: { headers: [], cookies: [] } },
  };
  await store.login.put(run, 'a', login);
  assert.equal(await store.login.find(run, 'a'), login);
});

test('comes back as it was, for each identity apart', async () => {
  const run = coreOf();
  await store.surface.put(run, '', surface);
  await store.surface.put(run, 'a', { ...surface, pages: [] });
  assert.equal(await store.surface.find(run, ''), surface);
  assert.equal((await store.surface.find(run, 'a'))?.pages, []);
  assert.is(await store.surface.find(run, 'b'), undefined);
});

test('of a plan, the one that its ref names is found, not the newest', async () => {
  const run = coreOf();
  const first = { seen: ['1'], waiting: [{ actionId: 'a', factIds: ['1'] }], given: { a: 1 }, dropped: {} };
  const ref = await store.plan.put(run, '', first);
  await store.plan.put(run, '', { ...first, seen: ['1', '2'] });
  assert.equal(await store.plan.at(run, ref), first);
});

const foreign: [string, (run: ReturnType<typeof coreOf>) => Promise<unknown>][] = [
  ['a surface', (run) => store.surface.find(run, '')],
  ['a login', (run) => store.login.find(run, '')],
  ['observations', (run) => store.observations.find(run, '')],
  ['a plan', (run) => store.plan.find(run, '')],
];
for (const [what, find] of foreign)
  test(`${what} that is none is refused`, async () => {
    const run = coreOf();
    for (const name of ['surface', 'identity', 'observations', 'plan'])
      await run.putArtifact(name, 'application/json', Buffer.from('{"url":1,"a":"maybe"}'));
    await find(run).then(
      () => assert.unreachable(what),
      (error: Error) => assert.is(error.name, 'ZodError'),
    );
  });

test('a session and a place that are none are refused', async () => {
  const run = coreOf();
  await run.putSecret('session:a', '{"cookies":[{"name":1}],"headers":[]}');
  await run.putSecret('place:f', '{"location":{}}');
  for (const found of [store.session.find(run, 'a'), store.place.find(run, 'f')])
    await found.then(
      () => assert.unreachable(),
      (error: Error) => assert.is(error.name, 'ZodError'),
    );
});

test('the secret of a fact is kept apart from it', async () => {
  const run = coreOf();
  await opened.keepFact(run, 'f1', 'hunter2');
  assert.equal([...run.secrets], [[opened.factRef('f1'), 'hunter2']]);
  assert.is(await opened.fact(run, opened.factRef('f1')), 'hunter2');
});

test.run();
