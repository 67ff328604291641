import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Exchange } from '../../../workflows/model/http.ts';
import { ProbeError } from '../../../workflows/model/probe-error.ts';
import type { PageSurface } from '../../../workflows/model/surface.ts';
import { queriesOf } from '../../../workflows/survey/graphql-queries.ts';
import { graphQlRequests } from '../../../workflows/survey/graphql-requests.ts';
import { createTally } from '../../../workflows/survey/left-out.ts';
import type { SendRequest } from '../../../workflows/survey/origins.ts';
import { codeOf } from '../probe/support.ts';
import { surveyOf } from '../probe/survey-site.ts';

const named = (kind: string, name: string) => ({ kind, name, ofType: null });
const nonNull = (ofType: object) => ({ kind: 'NON_NULL', name: null, ofType });
const list = (ofType: object) => ({ kind: 'LIST', name: null, ofType });
const scalar = (name: string) => named('SCALAR', name);
const field = (name: string, type: object, args: object[] = []) => ({ name, type, args });

const types = [
  {
    ...{ kind: 'OBJECT', name: 'Query' },
    fields: [
      field('books', list(named('OBJECT', 'Book'))),
      field('book', named('OBJECT', 'Book'), [{ name: 'id', type: nonNull(scalar('ID')) }]),
      field('find', list(named('OBJECT', 'Book')), [
        { name: 'filter', type: nonNull(named('INPUT_OBJECT', 'Filter')) },
        { name: 'sizes', type: list(scalar('Int')) },
      ]),
      field('report', named('OBJECT', 'Report')),
      field('deleteBook', scalar('Boolean'), [{ name: 'id', type: nonNull(scalar('ID')) }]),
    ],
  },
  {
    ...{ kind: 'OBJECT', name: 'Book' },
    fields: [
      field('title', scalar('String')),
      field('author', named('OBJECT', 'Author')),
      field('page', scalar('String'), [{ name: 'number', type: nonNull(scalar('Int')) }]),
    ],
  },
  {
    kind: 'OBJECT',
    name: 'Author',
    fields: [field('name', scalar('String')), field('books', list(named('OBJECT', 'Book')))],
  },
  {
    ...{ kind: 'INPUT_OBJECT', name: 'Filter' },
    inputFields: [
      { name: 'title', type: scalar('String') },
      { name: 'order', type: named('ENUM', 'Order') },
    ],
  },
  { kind: 'ENUM', name: 'Order', enumValues: [{ name: 'NEWEST' }, { name: 'OLDEST' }] },
  { kind: 'OBJECT', name: 'Report', fields: [field('total', scalar('Int'))] },
  { kind: 'OBJECT', name: 'Mutation', fields: [field('addBook', scalar('Boolean')), field('drop', scalar('Boolean'))] },
];
const schema = { data: { __schema: { queryType: { name: 'Query' }, mutationType: { name: 'Mutation' }, types } } };

const test = suite('what a GraphQL server describes');

test('each query, and each mutation that adds something, becomes a request with samples for its arguments and the plain fields of what it gives', () => {
  const { bodies, left, writes } = queriesOf(JSON.stringify(schema)) ?? {};
  assert.equal(
    bodies?.map(({ body }) => JSON.parse(body)),
    [
      { query: 'query books { books { title author { name } } }', variables: {} },
      { query: 'query book($id: ID!) { book(id: $id) { title author { name } } }', variables: { id: '1' } },
      {
        query:
          'query find($filter: Filter!, $sizes: [Int]) { find(filter: $filter, sizes: $sizes) { title author { name } } }',
        variables: { filter: { title: '1', order: 'NEWEST' }, sizes: [1] },
      },
      { query: 'query report { report { total } }', variables: {} },
      { query: 'mutation addBook { addBook }', variables: {} },
    ],
  );
  // Those whose names act are left out, but for a noun that is the name of what is given.
  assert.equal([left, writes], [0, 2]);
});

test('mutations that take a password are requests, too, for those who know what to do with them', () => {
  const text = (name: string) => ({ name, type: nonNull(scalar('String')) });
  const signUp = field('signUp', scalar('String'), [text('login'), text('password')]);
  const mutation = { kind: 'OBJECT', name: 'Mutation', fields: [signUp, field('signOff', scalar('Boolean'))] };
  const described = { ...schema.data.__schema, types: [types[0], mutation] };
  const { bodies = [] } = queriesOf(JSON.stringify({ data: { __schema: described } })) ?? {};
  assert.equal(
    bodies.filter(({ kind }) => kind === 'mutation').map(({ body }) => JSON.parse(body)),
    [
      {
        query: 'mutation signUp($login: String!, $password: String!) { signUp(login: $login, password: $password) }',
        variables: { login: '1', password: '1' },
      },
    ],
  );
});

test('what is no schema, or names what is no name of the language, asks for nothing', () => {
  for (const text of ['', '[]', '{"data":{}}', '{"data":{"__schema":{"queryType":{"name":"Query"},"types":[]}}}'])
    assert.is(queriesOf(text), undefined);
  const odd = { ...types[0], fields: [field('a } mutation { drop', scalar('String'))] };
  const bodies = queriesOf(
    JSON.stringify({ data: { __schema: { queryType: { name: 'Query' }, types: [odd] } } }),
  )?.bodies;
  assert.equal(bodies, []);
});

test('types within each other without end are asked for two levels deep', () => {
  const deep = Array.from({ length: 400 }).reduce<object>((inner) => list(inner), scalar('Int'));
  const root = { kind: 'OBJECT', name: 'Query', fields: [field('a', scalar('Int'), [{ name: 'b', type: deep }])] };
  const text = JSON.stringify({ data: { __schema: { queryType: { name: 'Query' }, types: [root] } } });
  assert.is(queriesOf(text)?.bodies.length, 1);
});

test('optional members of a type of arguments are sent twice, and what queries need is sent each time', () => {
  const filter = { kind: 'INPUT_OBJECT', name: 'Filter' };
  const members = [
    { name: 'title', type: scalar('String') },
    { name: 'shop', type: nonNull(scalar('ID')) },
  ];
  const args = [{ name: 'filter', type: named('INPUT_OBJECT', 'Filter') }];
  const fields = ['a', 'b', 'c', 'd'].map((name) => field(name, scalar('Int'), args));
  const root = { kind: 'OBJECT', name: 'Query', fields };
  const described = { queryType: { name: 'Query' }, types: [root, { ...filter, inputFields: members }] };
  const { bodies = [], alike } = queriesOf(JSON.stringify({ data: { __schema: described } })) ?? {};
  assert.equal(
    bodies.map(({ body }) => Object.keys(JSON.parse(body).variables.filter).join(' ')),
    ['title shop', 'title shop', 'shop', 'shop'],
  );
  assert.is(alike, 2);
});

test('of the ways to compare a field one is sent that wants the same, and one that makes a pattern', () => {
  const members = ['_eq', '_neq', '_in', '_icontains', '_starts_with', 'title'].map((name) => ({
    name,
    type: scalar('String'),
  }));
  const args = [{ name: 'filter', type: named('INPUT_OBJECT', 'Filter') }];
  const root = { kind: 'OBJECT', name: 'Query', fields: [field('a', scalar('Int'), args)] };
  const types = [root, { kind: 'INPUT_OBJECT', name: 'Filter', inputFields: members }];
  const described = { queryType: { name: 'Query' }, types };
  const { bodies = [], alike } = queriesOf(JSON.stringify({ data: { __schema: described } })) ?? {};
  assert.equal(
    bodies.map(({ body }) => Object.keys(JSON.parse(body).variables.filter).join(' ')),
    ['_eq _icontains title'],
  );
  assert.is(alike, 3);
});

test('arguments of queries that no page uses are inputs, and mutations that act are counted as not sent', async () => {
  const surface = await surveyOf((path) =>
    path === '/graphql'
      ? { type: 'application/json', body: JSON.stringify(schema) }
      : { body: '<a href="/graphql">For programs</a>', status: path === '/' ? 200 : 404 },
  );
  const inputs = surface.inputs.map(({ method, route, parameter }) => `${method} ${route} ${parameter}`);
  assert.equal(inputs, [
    'POST /graphql#book variables.id',
    'POST /graphql#find variables.filter.title',
    'POST /graphql#find variables.filter.order',
    'POST /graphql#find variables.sizes.0',
  ]);
  assert.ok(surface.omitted.some(({ code, count }) => code === 'would_write' && count === 2));
});

test('a query that takes nothing is a page, whose address is no place for a value', async () => {
  const surface = await surveyOf((path, { search }) =>
    path === '/graphql'
      ? { type: 'application/json', body: search === '' ? JSON.stringify(schema) : '{"data":{"books":[]}}' }
      : { body: '<a href="/graphql">For programs</a>', status: path === '/' ? 200 : 404 },
  );
  const query = 'query books { books { title author { name } } }';
  assert.ok(surface.pages.some(({ url }) => new URL(url).searchParams.get('query') === query));
  assert.not.ok(surface.inputs.some(({ method }) => method === 'GET'));
  assert.not.ok(surface.asked.some((asked) => /^GET \/graphql.*[?&](?:id|debug)=/.test(asked)));
});

test('where a server refuses the whole schema by its word, the types of queries are asked for by name', async () => {
  const book = {
    kind: 'OBJECT',
    name: 'Book',
    fields: [field('title', scalar('String')), field('notes', scalar('String'))],
  };
  const query = { kind: 'OBJECT', name: 'Query', fields: [field('books', nonNull(list(book)))] };
  const url = 'https://shelf.example/graphql';
  const described = async (answer: object) => {
    const asked: string[] = [];
    const send: SendRequest = async (request) => {
      const body = String(request.body);
      asked.push(body);
      const isRefused = body.includes('__schema');
      const text = JSON.stringify(isRefused ? { errors: [{ message: 'Introspection is disabled' }] } : answer);
      return { status: isRefused ? 403 : 200, text } as Exchange;
    };
    const seen = { pages: [], calls: [{ method: 'POST', url, pageUrl: 'https://shelf.example/' }] };
    const found = await graphQlRequests(send, 'https://shelf.example', seen, createTally());
    return { bodies: found.map(({ body = '' }) => JSON.parse(body).query), requests: asked.length };
  };
  assert.equal(await described({ data: { reading: query, writing: null } }), {
    bodies: ['query books { books { title notes } }'],
    requests: 2,
  });
  assert.equal(await described({ errors: [{ message: 'Introspection is disabled' }] }), { bodies: [], requests: 2 });
  const refusing = await surveyOf((path) =>
    path === '/graphql'
      ? { type: 'application/json', status: 403, body: '{"errors":[{"message":"Introspection is disabled"}]}' }
      : { body: '<a href="/graphql">For programs</a>', status: path === '/' ? 200 : 404 },
  );
  // The write gate lets both pass.
  assert.is(refusing.asked.filter((each) => each === 'POST /graphql').length, 2);
});

test('an address that ends the session of whoever asks it for its schema costs the survey that address alone', async () => {
  const seen = {
    pages: [],
    calls: [{ method: 'POST', url: 'https://shelf.example/graphql', pageUrl: 'https://shelf.example/' }],
  };
  const asking = (code: 'ends_session' | 'session_lost') =>
    graphQlRequests(
      () => Promise.reject(new ProbeError(code, 'no session')),
      'https://shelf.example',
      seen,
      createTally(),
    );
  assert.equal(await asking('ends_session'), []);
  assert.is(await codeOf(asking('session_lost')), 'session_lost');
});

test('a server at an address of any name is known by how it refuses who asks for nothing', async () => {
  const asked: string[] = [];
  const url = 'https://shelf.example/shelves';
  const found = async (refusal: object) => {
    const send: SendRequest = async ({ method = 'GET', url: at }) => {
      asked.push(`${method} ${new URL(at).pathname}`);
      if (method === 'GET') return { status: 400, text: JSON.stringify(refusal) } as Exchange;
      return { status: 200, text: JSON.stringify(at === url ? schema : {}) } as Exchange;
    };
    const pages = [{ url, status: 400, contentType: 'application/json' }] as PageSurface[];
    return (await graphQlRequests(send, 'https://shelf.example', { pages, calls: [] }, createTally())).map(
      (each) => each.url,
    );
  };
  const described = await found({ errors: [{ message: 'GraphQL operations must contain a non-empty `query`.' }] });
  assert.equal([...new Set(described)], [url]);
  asked.length = 0;
  assert.equal(await found({ errors: [{ message: 'The parameter "since" is missing' }] }), []);
  // What refuses otherwise may keep what is posted.
  assert.not.ok(asked.includes('POST /shelves'), asked.join());
});

test.run();
