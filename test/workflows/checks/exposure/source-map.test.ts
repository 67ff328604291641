import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sourceMap } from '../../../../workflows/checks/exposure/source-map.check.ts';
import { type Answer, type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('exposure.source-map');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, sourceMap);
  } finally {
    await site.close();
  }
}

const script = (ending: string, headers = {}): Answer => ({
  headers: { 'content-type': 'text/javascript', ...headers },
  body: `let a=1;"sourceMappingURL=not-this.map";console.log(a)\n${ending}`,
});
const map = (sources: string[], contents: (string | null)[], more = {}): Answer =>
  json({ version: 3, mappings: 'AAAA', sources, sourcesContent: contents, names: [], ...more });
const own = map(['../node_modules/x/index.js', '../src/cart.ts'], ['x', '// internal: see wiki\nlet a = 1']);

const site =
  (answer: Answer, files: Record<string, Answer>): Handler =>
  ({ path }) =>
    files[path] ??
    (path === '/'
      ? html('<script src="/assets/app-3f2a.js"></script>')
      : path === '/assets/app-3f2a.js'
        ? answer
        : undefined);

const exposed: Record<string, [Answer, string, Answer]> = {
  'named by a comment at the end': [script('//# sourceMappingURL=app-3f2a.js.map'), '/assets/app-3f2a.js.map', own],
  'named by an old comment with a path': [script('//@ sourceMappingURL=/maps/app.map\n'), '/maps/app.map', own],
  'named by a comment in a block': [script('/*# sourceMappingURL=app.map */'), '/assets/app.map', own],
  'named by a header': [script('', { sourcemap: 'app.map' }), '/assets/app.map', own],
  'guarded against being run': [
    script('//# sourceMappingURL=app.map'),
    '/assets/app.map',
    { body: `)]}'\n${String(own.body)}` },
  ],
  'made of sections': [
    script('//# sourceMappingURL=app.map'),
    '/assets/app.map',
    json({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map: JSON.parse(String(own.body)) }] }),
  ],
};

for (const [what, [answer, at, body]] of firstRows(Object.entries(exposed), 2)) {
  test(`a map ${what} is found, and no source is kept`, async () => {
    const found = await result(site(answer, { [at]: body }));
    assert.equal([found.outcome.kind, places(found)], ['found', [`GET ${at}`]], found.outcome.reason);
    assert.match(stored(found), /src\/cart\.ts/);
    assert.not.match(stored(found), /internal: see wiki/);
  });
}

further(test)('routes of the sources that no page leads to are a fact, those of one map alone', async () => {
  const source = "get('/api/invoices/' + id); get('/orders/' + id)";
  const app = script('//# sourceMappingURL=app.map');
  const found = await result(({ path }) => {
    if (path === '/')
      return html('<a href="/orders/17">Order</a><script src="/a.js"></script><script src="/b.js"></script>');
    if (/^\/[ab]\.js$/.test(path)) return script(`//# sourceMappingURL=${path.slice(1, 2)}.map`);
    if (path === '/orders/17') return html('Order 17');
    return /^\/[ab]\.map$/.test(path) ? map(['../src/api.ts'], [source]) : undefined;
  });
  assert.equal(
    found.facts.map(({ kind, subject, attributes }) => [kind, new URL(subject).pathname, attributes.routes]),
    [['hidden-routes', '/a.map', '/api/invoices/{id}']],
  );
  assert.equal((await result(site(app, { '/assets/app.map': own }))).facts, []);
});

const naming = script('//# sourceMappingURL=app.map');
const clean: Record<string, Handler> = {
  'did not deploy its map': site(naming, {}),
  'shows its home page for every path': ({ path }) =>
    path.startsWith('/assets/app-') ? naming : html('<script src="/assets/app-3f2a.js"></script>'),
  'answers every map with the same': ({ path }) => (path.endsWith('.map') ? own : site(naming, {})({ path } as never)),
  'has a map without sources': site(naming, {
    '/assets/app.map': json({ version: 3, sources: ['a.ts'], mappings: '' }),
  }),
  'has a map of packages only': site(naming, {
    '/assets/app.map': map(['webpack://shop/./node_modules/a/b.js', 'webpack/bootstrap'], ['x', 'y']),
  }),
  'has a map of another version': site(naming, { '/assets/app.map': map(['a.ts'], ['x'], { version: 2 }) }),
  'names a map on another host': site(script('//# sourceMappingURL=https://maps.example/app.map'), {}),
};

for (const [what, handler] of firstRows(Object.entries(clean), 2)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('maps of libraries are no secret, and a site without script has nothing to look at', async () => {
  const library = await result(({ path }) => {
    if (path === '/') return html('<script src="/js/bootstrap.min.js"></script>');
    return path.endsWith('.map') ? own : path.endsWith('.js') ? script('//# sourceMappingURL=x.map') : undefined;
  });
  const none = await result(() => html('hello'));
  assert.equal([library.outcome.kind, none.outcome.kind], ['not-applicable', 'not-applicable']);
});

test('a release of a library that names its map is none of the site', async () => {
  for (const [file, kind] of [
    ['mentions-5.1.3.min.js', 'not-applicable'],
    ['app-5.1.3.min.js', 'found'],
  ] as const) {
    const found = await result(({ path }) =>
      path === '/'
        ? html(`<script src="/js/${file}"></script>`)
        : { [`/js/${file}`]: script('//# sourceMappingURL=made.min.js.map'), '/js/made.min.js.map': own }[path],
    );
    assert.is(found.outcome.kind, kind, file);
  }
});

test('a map that its script does not name is found beside it, and one that stands in it without base64', async () => {
  const written = JSON.stringify({
    version: 3,
    sources: ['../src/api.ts'],
    sourcesContent: ['const a = 1;'],
    mappings: '',
  });
  const beside = await result(({ path }) => {
    if (path === '/') return html('<script src="/app.js"></script>');
    return path === '/app.js' ? script('') : path === '/app.js.map' ? { body: written } : undefined;
  });
  const inside = await result(({ path }) => {
    if (path === '/') return html('<script src="/app.js"></script>');
    const comment = `//# sourceMappingURL=data:application/json,${encodeURIComponent(written)}`;
    return path === '/app.js' ? script(comment) : undefined;
  });
  assert.equal([places(beside), places(inside)], [['GET /app.js.map'], ['GET /app.js']]);
});

test.run();
