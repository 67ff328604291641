import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PageSurface, Surface } from '../../../workflows/model/surface.ts';
import { guessedDocuments } from '../../../workflows/survey/found-documents.ts';
import { further } from '../../support/further.ts';
import { surveyOf } from '../probe/survey-site.ts';

const test = suite('API descriptions that the survey comes upon');

const description = (servers: string[], paths: Record<string, unknown>): string =>
  JSON.stringify({ info: {}, servers: servers.map((url) => ({ url })), paths, openapi: '3.0.1' });

const books = {
  '/books/v1': { get: { parameters: [{ name: 'city', in: 'query', schema: { type: 'string' }, example: 'ada' }] } },
  '/books/v1/{title}': {
    get: { parameters: [{ name: 'title', in: 'path', schema: { type: 'string' }, example: 'tales' }] },
    delete: {},
  },
  '/search': {
    post: {
      requestBody: {
        content: { 'application/json': { schema: { type: 'object', properties: { text: { type: 'string' } } } } },
      },
    },
  },
};

const asJson = (body: string) => ({ type: 'application/json', body });

/** An API without pages, whose description stands where frameworks put it. */
const surveyWith = (text: string, path = '/openapi.json'): Promise<Surface> =>
  surveyOf((asked) => {
    const [pathname] = asked.split('?');
    if (pathname === '/') return asJson('{"message":"an API"}');
    if (pathname === path) return path.endsWith('.yaml') ? { type: 'text/yaml', body: text } : asJson(text);
    return /^\/(?:api\/)?(?:books|search)/.test(asked) ? asJson('{}') : { status: 404, body: '' };
  });

const placesOf = ({ inputs }: Surface): string[] =>
  inputs
    .map(({ method, url, in: place, parameter }) => `${method} ${new URL(url).pathname} ${place} ${parameter}`)
    .sort();
const pathsOf = ({ pages }: Surface): string[] => pages.map(({ url }) => new URL(url).pathname + new URL(url).search);

test('what they read is fetched, what they take are inputs, and what they would write is counted', async () => {
  const surface = await surveyWith(description(['/api'], books));
  for (const path of ['/api/books/v1?city=ada', '/api/books/v1/tales'])
    assert.ok(pathsOf(surface).includes(path), path);
  assert.equal(placesOf(surface), [
    'GET /api/books/v1 query city',
    'GET /api/books/v1/tales path 4',
    'POST /api/search body text',
  ]);
  assert.equal(surface.omitted.find(({ code }) => code === 'would_write')?.count, 1);
});

test('a Postman collection that a page links to is read', async () => {
  const url = { raw: '{{base}}/books/v1?city=ada', host: ['{{base}}'], query: [{ key: 'city', value: 'ada' }] };
  const collection = JSON.stringify({
    info: { name: 'Books', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [{ name: 'list', request: { method: 'GET', url } }],
  });
  const surface = await surveyOf((path) => {
    if (path === '/') return '<a href="/files/books.json">Collection</a>';
    if (path === '/files/books.json') return asJson(collection);
    return path === '/books/v1' ? asJson('{}') : { status: 404 };
  });
  assert.ok(placesOf(surface).includes('GET /books/v1 query city'));
});

further(test)('one beside the page that shows it is read, and one in the script of that page', async () => {
  const text = description(['/api'], books);
  assert.ok(placesOf(await surveyWith(text, '/api-docs/swagger.json')).includes('POST /api/search body text'));
  const viewer = (swaggerDoc: string) =>
    surveyOf((asked) => {
      if (asked === '/') return asJson('{"message":"an API"}');
      if (asked === '/api-docs') return '<div id="swagger-ui"></div><script src="/api-docs/ui-init.js"></script>';
      if (asked === '/api-docs/ui-init.js')
        return {
          type: 'text/javascript',
          body: `window.onload = () => { let options = {"swaggerDoc": ${swaggerDoc}, "customOptions": {}} }`,
        };
      return /^\/api\/(?:books|search)/.test(asked) ? asJson('{}') : { status: 404, body: '' };
    });
  assert.ok(placesOf(await viewer(text)).includes('POST /api/search body text'));
  assert.equal(placesOf(await viewer('{"openapi": "3.0.1", "paths": {')), []);
});

further(test)('one that names its author’s own machine is of what answers here, in YAML as well', async () => {
  for (const server of [
    'http://localhost:5000/api',
    'https://127.0.0.1:8443/api',
    'http://0.0.0.0/api',
    'http://[::1]:80/api',
  ])
    assert.ok(pathsOf(await surveyWith(description([server], books))).includes('/api/books/v1/tales'), server);
  const yaml = 'openapi: "3.1.0"\nservers:\n  - url: http://dev.localhost/api\npaths:\n  /books/v1:\n    get: {}\n';
  assert.ok(pathsOf(await surveyWith(yaml, '/openapi.yaml')).includes('/api/books/v1'));
});

test('one of another host is not asked for, and said', async () => {
  const surface = await surveyWith(description(['https://api.elsewhere.example'], books));
  assert.equal(placesOf(surface), []);
  assert.equal(surface.omitted.find(({ code }) => code === 'other_host')?.count, 4);
});

test('one of another host is of what gives it out where a page of that is described, and of that host where none is', async () => {
  const site = (shown: string) =>
    surveyOf((asked) => {
      if (asked === '/') return `<a href="${shown}">Tales</a> <a href="/openapi.json">API</a>`;
      if (asked === '/openapi.json') return asJson(description(['https://api.elsewhere.example/v2'], books));
      return /^\/(?:v2\/)?(?:books|search|tales)/.test(asked) ? asJson('{}') : { status: 404, body: '' };
    });
  assert.ok(placesOf(await site('/v2/books/v1/jars')).includes('POST /v2/search body text'));
  for (const shown of ['/tales', '/v2/books/v1/jars/4'])
    assert.not.ok(
      placesOf(await site(shown)).some((place) => place.startsWith('POST')),
      shown,
    );
});

further(test)('what cannot be read as one, or only mentions one, describes nothing', async () => {
  for (const text of [
    '{"openapi":"3.0.1","paths":',
    '{"note":"we speak openapi: 3.0.1 here"}',
    '{"openapi":"3.0.1","paths":7}',
  ]) {
    const surface = await surveyWith(text);
    assert.equal(placesOf(surface), [], text);
  }
});

further(test)(
  'one where projects put it themselves is found on an API that shows nothing at its root, by the page that shows it as well',
  async () => {
    const at = (path: string, root: { type?: string }) =>
      surveyOf((asked) => {
        if (asked === path) return asJson(description(['/api'], books));
        if (asked === '/docs' && path === '/spec/v3.json')
          return `<div id="swagger-ui"></div><script>const ui = SwaggerUIBundle({ url: '${path}' })</script>`;
        return /^\/api\/(?:books|search)/.test(asked) ? asJson('{}') : { ...root, status: 404, body: '' };
      });
    for (const path of ['/api/v1/openapi.json', '/spec/v3.json'])
      for (const root of [{}, { type: 'application/json' }])
        assert.ok(placesOf(await at(path, root)).includes('POST /api/search body text'), `${path} ${root.type}`);
  },
);

test('one beside an interface that stands below the root is read, whatever type the server takes it for', async () => {
  const site = (type: string) => (asked: string) => {
    if (asked === '/') return '<a href="/shop/api/v2/hours">Opening hours</a>';
    if (asked === '/shop/api/v2/hours') return asJson('{"from":9}');
    if (asked === '/shop/api/openapi.yml') return { type, body: description(['/shop/api'], books) };
    return asked.startsWith('/shop/api/books') ? asJson('{}') : { status: 404, body: '' };
  };
  // What is of no known type has none for who reads it.
  for (const type of ['text/yaml', 'unknown/unknown'])
    assert.ok(placesOf(await surveyOf(site(type))).includes('POST /shop/api/search body text'), type);
});

test('with a session only where nobody else was shown an interface, and at fewer places', () => {
  const page = (contentType: string) =>
    ({ url: 'http://shop.test/api/orders', contentType, status: 200 }) as PageSurface;
  const [data, text] = [page('application/json'), page('text/html')];
  const guesses = (shown?: PageSurface[]) => guessedDocuments('http://shop.test', [data], shown).flat();
  assert.equal(guesses([data]), []);
  assert.ok(guesses([text]).includes('http://shop.test/openapi.json'));
  assert.ok(guesses([text]).length < guesses().length / 2);
  assert.equal(guessedDocuments('http://shop.test', [text], [text]), []);
});

test('a site of pages is not asked for one', async () => {
  const asked: string[] = [];
  await surveyOf((path) => {
    asked.push(path);
    return path === '/' ? '<h1>Lamps</h1>' : { status: 404, body: '' };
  });
  assert.not.ok(
    asked.some((path) => /openapi|swagger|api-docs/.test(path)),
    asked.join(' '),
  );
});

test('what a SOAP service takes is read from where it describes itself', async () => {
  const soap = 'http://schemas.xmlsoap.org/wsdl/soap/';
  const wsdl = (host: string) => `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/">
    <message name="m"><part name="grain" type="string"/></message>
    <portType name="p"><operation name="find"><input message="m"/></operation></portType>
    <binding name="b" type="p"><binding xmlns="${soap}" style="rpc"/><operation name="find"><input/></operation></binding>
    <service><port binding="b"><address xmlns="${soap}" location="http://${host}/soap/mill"/></port></service></definitions>`;
  const surface = await surveyOf((path, { host, search }) => {
    const asked = path + search;
    if (asked === '/') return '<a href="/soap/mill">service</a>';
    if (asked === '/soap/mill?wsdl') return { type: 'text/xml', body: wsdl(host) };
    return asked === '/soap/mill' ? { type: 'text/plain', body: 'POST only' } : { status: 404, body: '' };
  });
  assert.equal(
    placesOf(surface).filter((place) => place.includes('body')),
    ['POST /soap/mill body Body.find.grain'],
  );
});

test.run();
