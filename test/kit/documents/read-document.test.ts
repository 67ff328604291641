import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stringify } from 'yaml';
import { DocumentFault, maxRequests, type StoredDraft } from '../../../kit/documents/draft.ts';
import { readDocument } from '../../../kit/documents/read-document.ts';

const test = suite('API documents');

const read = (document: object) => readDocument(JSON.stringify(document));

/** "GET /orders/{id} path:id=1 query:page=2" and so on. */
const words = (requests: readonly StoredDraft[]): string[] =>
  requests.map(({ method, urls, parameters, contentType }) =>
    [
      method,
      urls.join('|'),
      ...parameters.map(({ in: place, name, sample }) => `${place}:${name}=${sample}`),
      contentType,
    ]
      .filter((word) => word !== '')
      .join(' '),
  );

const openApi3 = {
  openapi: '3.0.3',
  servers: [{ url: 'https://{region}.shop.example/api/', variables: { region: { default: 'eu' } } }, { url: '/v1' }],
  paths: {
    '/orders/{orderId}': {
      parameters: [{ $ref: '#/components/parameters/OrderId' }],
      get: { parameters: [{ name: 'page', in: 'query', schema: { type: 'integer', minimum: 2 } }] },
      delete: {},
    },
    '/orders': {
      servers: [{ url: 'https://orders.shop.example' }],
      post: {
        requestBody: { $ref: '#/components/requestBodies/Order' },
        parameters: [
          { name: 'dry', in: 'query', example: true },
          { name: 'x-tenant', in: 'header', schema: { type: 'string' } },
        ],
      },
    },
  },
  components: {
    parameters: {
      OrderId: { name: 'orderId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
    },
    requestBodies: {
      Order: {
        content: {
          'application/x-www-form-urlencoded': { schema: { type: 'object' } },
          'application/json': { schema: { $ref: '#/components/schemas/Order' } },
        },
      },
    },
    schemas: {
      Order: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { size: { enum: ['l', 's'] } } }] },
      Base: { properties: { note: { type: 'string', example: 'two' }, lines: { type: 'array' } } },
    },
  },
};

const ofOpenApi3 = [
  'GET https://eu.shop.example/api/orders/{orderId}|/v1/orders/{orderId} path:orderId=00000000-0000-4000-8000-000000000000 query:page=2',
  'DELETE https://eu.shop.example/api/orders/{orderId}|/v1/orders/{orderId} path:orderId=00000000-0000-4000-8000-000000000000',
  'POST https://orders.shop.example/orders query:dry=true header:x-tenant=a body:note=two body:lines= body:size=l application/json',
];

test('OpenAPI 3 is read with servers, references, parameters and bodies, in JSON and in YAML', () => {
  assert.equal(words(read(openApi3).requests), ofOpenApi3);
  const { format, requests } = readDocument(stringify(openApi3));
  assert.is(format, 'openapi');
  assert.equal(words(requests), ofOpenApi3);
});

test('JSON of a body is given as a whole, with values of its types, and what the request is for', () => {
  const order = { query: 'lamp', filter: { max: 50, tags: ['desk'] }, apiKey: 'k-1234567890', pin: { otp: 123456 } };
  const schema = {
    properties: {
      query: { type: 'string' },
      filter: { properties: { max: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } } },
      again: { $ref: '#/paths/~1search/post/requestBody/content/application~1json/schema' },
    },
  };
  const post = (media: object) => ({
    ...{ operationId: 'searchLamps', summary: 'Finds lamps' },
    requestBody: { content: { 'application/json': media } },
  });
  const { requests } = read({
    openapi: '3.1.0',
    paths: { '/search': { post: post({ schema }) }, '/find': { post: post({ example: order }) } },
  });
  const [described, shown] = requests.map(({ body = '' }) => JSON.parse(body));
  assert.equal([described.query, described.filter], ['a', { max: 1, tags: ['a'] }]);
  assert.equal(shown, { ...order, apiKey: '', pin: { otp: 0 } });
  assert.is(requests[0]?.title, 'searchLamps Finds lamps');
});

test('OpenAPI 3.1 is read with types in lists, and examples', () => {
  const schema = { type: ['integer', 'null'], examples: [17] };
  const parameters = [
    { name: 'n', in: 'query', schema },
    { name: 'm', in: 'query', examples: { first: { $ref: '#/components/examples/one' } } },
  ];
  const components = { examples: { one: { value: 'first' } } };
  const { requests } = read({ openapi: '3.1.0', paths: { '/a': { get: { parameters } } }, components });
  assert.equal(words(requests), ['GET /a query:n=17 query:m=first']);
});

test('OpenAPI 2 is read with host, schemes and both kinds of body', () => {
  const paths = {
    '/search': { post: { parameters: [{ name: 'q', in: 'formData', type: 'string', default: 'lamp' }] } },
    '/items': {
      put: { parameters: [{ name: 'item', in: 'body', schema: { properties: { on: { type: 'boolean' } } } }] },
    },
  };
  const { requests } = read({ swagger: '2.0', host: 'shop.example:8443', basePath: '/v2', schemes: ['https'], paths });
  assert.equal(words(requests), [
    'POST https://shop.example:8443/v2/search body:q=lamp application/x-www-form-urlencoded',
    'PUT https://shop.example:8443/v2/items body:on=true application/json',
  ]);
});

test('a Postman collection is read through its folders, with its variables', () => {
  const item = [
    {
      name: 'folder',
      item: [
        {
          request: {
            method: 'GET',
            url: { raw: '{{base}}/orders/:id?page={{page}}&old=1', variable: [{ key: 'id', value: '7' }] },
          },
        },
        { request: '{{nowhere}}/health' },
      ],
    },
    {
      request: {
        method: 'POST',
        url: { protocol: 'https', host: ['shop', 'example'], path: ['login'] },
        body: {
          mode: 'urlencoded',
          urlencoded: [
            { key: 'user', value: 'a' },
            { key: 'off', value: 'x', disabled: true },
          ],
        },
      },
    },
    { request: { method: 'POST', url: 'https://shop.example/api', body: { mode: 'raw', raw: '{"term":"lamp"}' } } },
    { request: { method: 'GET', url: 'ftp://shop.example/' } },
  ];
  const variable = [
    { key: 'base', value: '{{scheme}}://shop.example/v1' },
    { key: 'scheme', value: 'https' },
    { key: 'page', value: '3' },
  ];
  const collection = { info: { name: 'Shop' }, item, variable };
  const expected = [
    'GET https://shop.example/v1/orders/{id} path:id=7 query:page=3 query:old=1',
    'GET /health',
    'POST https://shop.example/login body:user=a application/x-www-form-urlencoded',
    'POST https://shop.example/api body:term=lamp application/json',
  ];
  const { format, requests } = read(collection);
  assert.is(format, 'postman');
  assert.equal(words(requests), expected);
  assert.equal(words(read({ collection }).requests), expected);
});

test('HAR is read, each request once', () => {
  const entry = (request: object) => ({ request });
  const search = { method: 'GET', url: 'https://shop.example/search?q=lamp#top' };
  const post = { mimeType: 'application/json', text: '{"a":1,"b":{"c":2}}' };
  const { format, requests } = read({
    log: {
      entries: [
        entry(search),
        entry(search),
        entry({ method: 'POST', url: 'https://shop.example/{x}', postData: post }),
        entry({ method: 'GET', url: 'data:text/plain,x' }),
      ],
    },
  });
  assert.is(format, 'har');
  assert.equal(words(requests), [
    'GET https://shop.example/search query:q=lamp',
    'POST https://shop.example/%7Bx%7D body:a=1 body:b= application/json',
  ]);
});

test('nothing that may be a credential is kept', () => {
  const canary = 'c4n4ry0c4n4ry0c4n4ry0c4n4ry0';
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.signature';
  const short = 'pass-canary';
  const headers = [
    { name: 'Authorization', value: `Bearer ${canary}` },
    { name: 'Cookie', value: `sid=${canary}` },
  ];
  const url = `https://user:${short}@shop.example/a?next=${canary}&access_token=${short}&t=${jwt}`;
  const postData = { mimeType: 'application/json', text: JSON.stringify({ password: short, note: 'kept' }) };
  const har = read({ log: { entries: [{ request: { method: 'POST', url, headers, cookies: headers, postData } }] } });
  const postman = read({
    info: {},
    auth: { type: 'bearer', bearer: [{ key: 'token', value: canary }] },
    variable: [{ key: 'token', value: canary }],
    item: [{ request: { url: 'https://shop.example/a?x={{token}}', header: headers, auth: { canary } } }],
  });
  const text = JSON.stringify([har, postman]);
  for (const secret of [canary, jwt, short]) assert.not.match(text, secret);
  assert.equal(words(har.requests), [
    'POST https://shop.example/a query:next= query:access_token= query:t= body:password= body:note=kept application/json',
  ]);
});

test('references that lead nowhere, out, or in circles are taken for nothing', () => {
  const schemas = {
    A: { allOf: [{ $ref: '#/components/schemas/A' }], properties: { a: { $ref: '#/components/schemas/B' } } },
    B: { $ref: '#/components/schemas/B' },
  };
  const body = (ref: string) => ({
    post: { requestBody: { content: { 'application/json': { schema: { $ref: ref } } } } },
  });
  const paths = {
    '/circle': body('#/components/schemas/A'),
    '/file': body('file:///etc/passwd'),
    '/out': body('https://elsewhere.example/schema.json'),
    '/proto': body('#/__proto__/constructor'),
    '/missing': { $ref: '#/paths/none' },
  };
  const { requests } = read({ openapi: '3.0.0', paths, components: { schemas } });
  assert.equal(words(requests), [
    'POST /circle body:a=a application/json',
    'POST /file application/json',
    'POST /out application/json',
    'POST /proto application/json',
  ]);
});

test('more requests than a scan could try are left out', () => {
  const paths = Object.fromEntries(Array.from({ length: maxRequests + 50 }, (_, index) => [`/p${index}`, { get: {} }]));
  assert.is(read({ openapi: '3.0.0', paths }).requests.length, maxRequests);
});

const bomb = `a0: &a0 [x]\n${Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`)}]`).join('\n')}`;

for (const [what, text, reason] of [
  ['nothing', '', 'no object'],
  ['a list', '[1]', 'no object'],
  ['prose', 'Dear all, this is no document.', 'no object'],
  ['an unknown kind', '{"paths":{}}', 'none of OpenAPI'],
  ['an OpenAPI document of a version to come', '{"openapi":"4.0.0","paths":{"/":{"get":{}}}}', 'none of OpenAPI'],
  ['one without requests', '{"openapi":"3.0.0","paths":{}}', 'no request'],
  ['broken JSON', '{"openapi":"3.0.0",', 'neither JSON nor YAML'],
  ['YAML beyond its limit', `openapi: 3.0.0\n${'# comment\n'.repeat(110_000)}`, 'convert it to JSON'],
  [
    'an example within itself a hundred thousand times',
    `{"openapi":"3.1.0","paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"example":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}}}}}`,
    'nested too deeply',
  ],
  ['anchors that multiply', bomb, 'neither JSON nor YAML'],
] as const) {
  test(`${what} is refused with the reason`, () => {
    try {
      readDocument(text);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, DocumentFault);
      assert.match((error as Error).message, reason);
    }
  });
}

test('members of any wrong type do not stop the rest from being read', () => {
  const paths = {
    '/a': { get: { parameters: 'none', requestBody: 5, servers: [null, { url: 7 }] }, parameters: [null, 3] },
    '/b': null,
    '/c': { get: true, post: { parameters: [{ name: 4, in: ['query'] }, { $ref: 12 }] } },
    no: { get: {} },
  };
  assert.equal(words(read({ openapi: '3.0.0', paths }).requests), ['GET /a', 'POST /c']);
  const requests = read({
    log: { entries: [null, { request: 3 }, { request: { url: 'https://a.example/', postData: 'x' } }] },
  });
  assert.equal(words(requests.requests), ['GET https://a.example/']);
});

test('what exceeds the limits of a document is counted: requests, long addresses and parameters', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => index);
  const paths = Object.fromEntries(many(2_003).map((index) => [`/p${index}`, { get: {} }]));
  assert.equal(left(read({ openapi: '3.0.0', paths })), [2_000, 3, 0]);
  const parameters = many(105).map((index) => ({ name: `q${index}`, in: 'query' }));
  const described = { '/a': { get: { parameters } }, [`/${'x'.repeat(3_000)}`]: { get: {} } };
  assert.equal(left(read({ openapi: '3.0.0', paths: described })), [1, 1, 5]);
  const recorded = [
    'http://shop.example/a',
    `http://shop.example/${'x'.repeat(3_000)}`,
    `http://shop.example/${'y'.repeat(70_000)}`,
  ];
  const entries = [...recorded, 'data:,x'].map((url) => ({ request: { method: 'GET', url } }));
  assert.equal(left(read({ log: { entries } })), [1, 2, 0]);
});

test('bodies that are too long, too large, too deep or neither JSON nor a form are counted, and types that stand in themselves are not', () => {
  const post = (type: string, media: object) => ({
    post: { requestBody: { content: { [type]: media } } },
  });
  const deep = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { [`l${levels}`]: deep(levels - 1) } };
  const wide = (count: number) => ({
    properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }])),
  });
  const schemas = {
    Tree: {
      properties: {
        name: { type: 'string' },
        ...{ one: { $ref: '#/components/schemas/Tree' }, two: { $ref: '#/components/schemas/Tree' } },
      },
    },
  };
  const bodiesOf = (type: string, media: object) => {
    const paths = { '/a': post(type, media), '/b': { put: post(type, media).post } };
    return read({ openapi: '3.0.0', paths, components: { schemas } }).bodiesLeftOut;
  };
  assert.equal(
    [
      bodiesOf('application/json', { example: { text: 'x'.repeat(9_000) } }),
      bodiesOf('application/json', { schema: wide(320) }),
      bodiesOf('application/json', { schema: deep(12) }),
      bodiesOf('application/xml', { schema: wide(2) }),
    ],
    [1, 1, 1, 1],
  );
  assert.equal(
    [
      bodiesOf('application/json', { example: { text: 'x'.repeat(7_000) } }),
      bodiesOf('application/json', { schema: wide(200) }),
      bodiesOf('application/json', { schema: deep(7) }),
      bodiesOf('application/json', { schema: { $ref: '#/components/schemas/Tree' } }),
      bodiesOf('multipart/form-data', { schema: wide(2) }),
    ],
    [0, 0, 0, 0, 0],
  );
  const postData = (text: string) => ({ mimeType: 'text/plain', text });
  const entries = ['<a/>', '{"a":1}'].map((text, index) => ({
    request: { method: 'POST', url: `http://shop.example/${index}`, postData: postData(text) },
  }));
  assert.is(read({ log: { entries } }).bodiesLeftOut, 1);
});

const left = ({ requests, requestsLeftOut, parametersLeftOut }: ReturnType<typeof read>) => [
  requests.length,
  requestsLeftOut,
  parametersLeftOut,
];

test.run();
