import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filled, routesInDescription, routesInSources } from '../../../../workflows/checks/pages/route-templates.ts';

const test = suite('routes that a client or a description names');

const origin = 'https://shop.example';

/** An expression in a template literal. */
const part = (name: string): string => `$\{${name}}`;

const sources: Record<string, [source: string, routes: string[]]> = {
  'a template literal': [
    `fetch(\`/api/invoices/${part('order.invoiceId')}/lines\`)`,
    ['/api/invoices/{invoiceId}/lines'],
  ],
  'a sum of texts': [`$.getJSON("/api/invoices/" + id, done)`, ['/api/invoices/{id}']],
  'a sum with a part behind it': [
    `get('/users/' + encodeURIComponent(userId) + '/letters/' + n + '.json')`,
    ['/users/{userId}/letters/{n}.json'],
  ],
  'a value of the query': ["open('/receipt?number=' + receipt.number)", ['/receipt?number={number}']],
  'a path of Express': ["router.get('/api/cards/:cardId', show)", ['/api/cards/{cardId}']],
  'a path of Flask': ["url = '/letters/<int:letter_id>'", ['/letters/{letter_id}']],
  'a comment': ['/** GET /api/files/{fileId}, for the preview */', ['/api/files/{fileId}']],
  'a base that stands elsewhere': [
    `const API_BASE = '/rest/v2';\nconst load = (id) => fetch(\`${part('API_BASE')}/contracts/${part('id')}\`);`,
    ['/contracts/{id}', '/rest/v2/contracts/{id}'],
  ],
  'a base of axios': [
    "axios.create({ baseURL: 'https://shop.example/api/' });\nhttp.get('/bills/' + bill.id)",
    ['/bills/{id}', '/api/bills/{id}'],
  ],
  'a base on another host': [
    "const apiUrl = 'https://other.example/api';\nhttp.get('/bills/' + bill.id)",
    ['/bills/{id}'],
  ],
};

for (const [what, [source, routes]] of Object.entries(sources)) {
  test(`${what} gives its routes`, () => {
    assert.equal(routesInSources([source], origin).routes, routes);
  });
}

test('files, actions, whole addresses, words and pages without a place are no routes', () => {
  const source = [
    `img.src = \`/assets/${part('slug')}.svg\``,
    "fetch('/api/orders/' + id + '/cancel', { method: 'POST' })",
    `log(\`/${part('anything')}\`)`,
    "const home = '/about'",
    "title = 'a / b' + name",
    `fetch(\`https://cdn.example/files/${part('id')}\`)`,
    `const time = \`${part('hours')}:${part('minutes')}\``,
  ].join('\n');
  assert.equal(routesInSources([source], origin).routes, []);
});

test('hostile text takes no time', () => {
  const source = `${'"/a"+'.repeat(50_000)}${'`${'.repeat(50_000)}${'GET /'.repeat(50_000)}`;
  const startMs = performance.now();
  routesInSources([source], origin);
  routesInDescription(`paths:\n${'   \n'.repeat(100_000)}x`, `${origin}/openapi.yaml`);
  assert.ok(performance.now() - startMs < 5_000);
});

const paths = { '/invoices/{id}': { get: {} }, '/invoices': { get: {} }, '/cards/{id}': { post: {} } };

const documents: Record<string, [text: string, routes: string[]]> = {
  'a server with a path': [
    JSON.stringify({ openapi: '3.1.0', servers: [{ url: '/api/v2/' }], paths }),
    ['/api/v2/invoices/{id}'],
  ],
  'a server of its own': [
    JSON.stringify({ openapi: '3.0.0', servers: [{ url: `${origin}/rest` }], paths }),
    ['/rest/invoices/{id}'],
  ],
  'no server': [JSON.stringify({ openapi: '3.0.0', paths }), ['/invoices/{id}']],
  'the old form': [JSON.stringify({ swagger: '2.0', basePath: '/v1', paths }), ['/v1/invoices/{id}']],
  'an identifier in the query': [
    JSON.stringify({
      openapi: '3.0.0',
      paths: {
        '/invoice': {
          get: {
            parameters: [
              { name: 'page', in: 'query' },
              { name: 'invoiceId', in: 'query' },
            ],
          },
        },
      },
    }),
    ['/invoice?invoiceId={invoiceId}'],
  ],
  'another host': [JSON.stringify({ openapi: '3.0.0', servers: [{ url: 'https://other.example' }], paths }), []],
  YAML: [
    'openapi: 3.0.0\npaths:\n  /invoices/{id}:\n    parameters:\n      - name: id\n    get:\n      summary: x\n  "/cards/{id}":\n    post: {}\ncomponents:\n  get: {}\n',
    ['/invoices/{id}'],
  ],
  'something else': ['not a description', []],
};

for (const [what, [text, routes]] of Object.entries(documents)) {
  test(`a description with ${what} gives the routes that can be read`, () => {
    assert.equal(routesInDescription(text, `${origin}/openapi.json`).routes, routes);
  });
}

test('values are put into the places of a route, encoded', () => {
  assert.is(
    filled('/users/{userId}/files/{name}', (name) => (name === 'name' ? 'a/b' : '7')),
    '/users/7/files/a%2Fb',
  );
});

test.run();
