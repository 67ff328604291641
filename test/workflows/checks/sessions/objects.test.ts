import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressOfObject, isKey, namesPerson, objectsIn } from '../../../../workflows/checks/sessions/objects.ts';
import { graphQlAddress } from '../../../../workflows/probe/graphql-address.ts';
import { emptySurface } from '../../support/checks.ts';

const test = suite('addresses of objects');

const objectAt = (path: string) => {
  const skipped = [{ url: `https://desk.example${path}`, code: 'folded' as const, reason: '' }];
  const [object] = objectsIn({ ...emptySurface('https://desk.example/'), skipped });
  return object && `${object.kind} ${object.identifier} ${object.in} ${object.parameter}`;
};

for (const [path, expected] of Object.entries({
  '/orders/17': '/orders/{id} 17 path 2',
  '/users/3/orders/17': '/users/{id}/orders/{id} 17 path 4',
  '/tickets/T71A4f09c1': '/tickets/{id} T71A4f09c1 path 2',
  '/users/3/tickets/AB-2024-77x': '/users/{id}/tickets/{id} AB-2024-77x path 4',
  '/tickets/T71A4f09c1/answers': '/tickets/{id}/answers T71A4f09c1 path 2',
  '/invoices/k3b9x2m1.pdf': '/invoices/{id} k3b9x2m1 path 2',
  '/invoice?id=T71A4f09c1': '/invoice id T71A4f09c1 query id',
  '/letters/policy_ina.txt': '/letters/{file} policy_ina.txt path 2',
  '/letter?file=policy_ina.txt': '/letter file policy_ina.txt query file',
  '/offer?mail=ina%40oak.example': '/offer mail ina@oak.example query mail',
  '/card?c=dXNlcjozMQ==': '/card c dXNlcjozMQ== query c',
  '/view?t=dGlja2V0OjEwNDQ': '/view t dGlja2V0OjEwNDQ query t',
  '/wages?employee=ina': '/wages employee ina query employee',
  '/slip?s=8f14e45fceea167a5a36dedd4bea2543': '/slip s 8f14e45fceea167a5a36dedd4bea2543 query s',
  '/?view=order&id=17': '/?view=order id view 17 query id',
  '/slip/d2FnZTo0MQ==': '/slip/{id} d2FnZTo0MQ== path 2',
  '/results/r_1043': '/results/r_{id} r_1043 path 2',
  '/slip?id=INV-77': '/slip id INV-77 query id',
  '/files/aW52b2ljZV8yMDg0': '/files/{id} aW52b2ljZV8yMDg0 path 2',
})) {
  test(`${path} names one`, () => assert.is(objectAt(path), expected));
}

for (const path of [
  '/about',
  '/?lang=english',
  '/?view=overview',
  '/?theme=bGlnaHQ=',
  '/?next=/account',
  '/docs/release-notes',
  '/tour/step-2',
  '/?charset=utf-8',
  '/api/v2/me',
  '/assets/a1.js',
  '/theme/bGlnaHQ=',
  '/list?page=12345678',
  '/list?v=8f14e45fceea167a5a36dedd4bea2543',
  '/list?p=b2Zmc2V0OjIw',
  '/list?t=MTA0NDE3',
  '/list?start=dGlja2V0OjEwNDQ',
  '/list?q=ldnvtim3rr&search_text=ldnvtim3rr',
])
  test(`${path} names none`, () => assert.is(objectAt(path), undefined));

test('an address of another host names no object of this site', () => {
  const skipped = ['https://pictures.example/faces/17', 'http://desk.example/orders/17'].map((url) => ({
    ...{ url, code: 'folded' as const, reason: '' },
  }));
  const objects = objectsIn({ ...emptySurface('https://desk.example/'), skipped });
  assert.equal(
    objects.map(({ url }) => url),
    ['http://desk.example/orders/17'],
  );
});

test('numbers in base64 name objects, and words beside them do not', () => {
  const paths = [
    '/receipt/MTA0Mg',
    '/receipt/MTA%3D',
    '/file?ref=Nzc=',
    '/slip/NDI6MjAyNi0wMw==',
    '/news/Mike',
    '/about/team',
    '/shop?tab=list',
  ];
  const skipped = paths.map((path) => ({
    url: `https://desk.example${path}`,
    code: 'budget' as const,
    reason: 'no room',
  }));
  const found = objectsIn({ ...emptySurface('https://desk.example/'), skipped });
  assert.equal(
    found.map(({ route, identifier }) => `${route} ${identifier}`),
    ['/receipt/{id} MTA0Mg', '/receipt/{id} MTA=', '/file Nzc=', '/slip/{id} NDI6MjAyNi0wMw=='],
  );
});

test('a parameter says by its name that its value is somebody', () => {
  assert.ok(namesPerson({ parameter: 'employee', in: 'query' }));
  assert.not.ok(namesPerson({ parameter: 'order', in: 'query' }));
});

test('a query of GraphQL that is given one identifier names an object, and another one takes its place alone', () => {
  const address = (variables: object) =>
    graphQlAddress(
      'https://desk.example/gql',
      JSON.stringify({ query: 'query p($id: ID!) { parcel(id: $id) { street } }', variables }),
    ) ?? '';
  const calls = [{ id: '7003' }, { id: 7004 }, { id: '7003', more: 'x' }, {}].map((variables) => ({
    ...{ method: 'GET', url: address(variables), pageUrl: 'https://desk.example/' },
  }));
  const found = objectsIn({ ...emptySurface('https://desk.example/'), calls });
  assert.equal(
    found.map(({ route, identifier }) => `${route} ${identifier}`),
    ['/gql/parcel/{id} 7003', '/gql/parcel/{id} 7004'],
  );
  assert.equal(
    found.map(({ url, parameter, identifier }) => addressOfObject(url, 'query', parameter, identifier, '9')),
    [address({ id: '9' }), address({ id: 9 })],
  );
});

test('the random key of a link for sharing opens it to everybody, and the digest of a number does not', () => {
  const opens = (key: string) => {
    const skipped = [{ url: `https://desk.example/report?key=${key}`, code: 'folded' as const, reason: '' }];
    const [object] = objectsIn({ ...emptySurface('https://desk.example/'), skipped });
    return object && isKey(object);
  };
  assert.is(opens('5ef1a0c39b7d42e8a6c4d1f09b3e7a25'), true);
  assert.is(opens('a1d0c6e83f027327d8461063f4ac58a6'), false);
});

test.run();
