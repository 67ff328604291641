import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { idorRead } from '../../../../workflows/checks/access/idor-read.check.ts';
import { people, visitor } from '../../../fixtures/accounts.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { runOn, stored, type TestIdentity } from '../harness.ts';

const test = suite('access.idor-read, by what a site says of its objects');

type Thing = { slug: string; owner: 'ann' | 'bob'; details: Record<string, unknown> };

/** An interface whose description has a route of objects, and whose list has their owners beside them. */
type Design = {
  things: Thing[];
  /** Who is given an object; "" is nobody. */
  mayRead(thing: Thing, reader: string): boolean;
  /** What the list says of each. */
  listed?(thing: Thing): Record<string, unknown>;
  path?: string;
  /** Users store things, of which a title and a secret are taken. */
  takes?: true;
};

const names: Record<string, string> = { [people.ann.name]: 'ann', [people.bob.name]: 'bob' };

const storing = {
  requestBody: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { entry_title: { type: 'string', example: 'sample-9' }, secret: { type: 'string' } },
        },
      },
    },
  },
  responses: { 200: { description: 'ok' } },
};

function site({ things, mayRead, listed, path = '/notes/v1', takes }: Design): Handler {
  const kept = [...things];
  return (request) => {
    const reader = names[visitor(request)?.name ?? ''] ?? '';
    if (request.path === '/') return html('<h1>Interface</h1><a href="/openapi.json">Description</a>');
    if (request.path === '/openapi.json')
      return json({
        openapi: '3.0.1',
        info: { title: 'Notes', version: '1' },
        paths: {
          '/me': { get: { responses: { 200: { description: 'ok' } } } },
          [path]: {
            get: { responses: { 200: { description: 'ok' } } },
            ...(takes && { post: storing }),
          },
          [`${path}/{slug}`]: {
            get: {
              parameters: [
                { name: 'slug', in: 'path', required: true, schema: { type: 'string', example: 'sample-77' } },
              ],
              responses: { 200: { description: 'ok' } },
            },
          },
        },
      });
    if (request.path === '/me')
      return reader ? json({ data: { username: reader, email: `${reader}@north.example` } }) : json({}, 401);
    const row = listed ?? (({ slug, owner }: Thing) => ({ slug, user: owner }));
    if (request.path === path && request.method === 'POST') {
      const { entry_title: slug = '', secret } = JSON.parse(request.body) as Record<string, string>;
      if (reader !== 'ann' && reader !== 'bob') return json({ error: 'log in' }, 401);
      kept.push({ slug, owner: reader, details: { secret } });
      return json({ message: 'kept' });
    }
    if (request.path === path) return json({ items: kept.map(row) });
    const thing = kept.find(({ slug }) => request.path === `${path}/${slug}`);
    if (!thing) return undefined;
    return mayRead(thing, reader)
      ? json({ slug: thing.slug, owner: thing.owner, ...thing.details })
      : json({ error: 'no' }, 403);
  };
}

const identities = (
  [
    ['A', people.ann, 'ann'],
    ['B', people.bob, 'bob'],
  ] as const
).map(
  ([name, { session }, marker]): TestIdentity => ({
    name,
    headers: [['Authorization', `Bearer ${session}`]],
    checkPath: '/me',
    marker,
  }),
);

async function result(design: Design) {
  const running = await startSite(site(design));
  try {
    const deep = design.takes ? ({ depth: 'deep', writes: 'create' } as const) : {};
    return await runOn(running.url, idorRead, { identities, ...deep });
  } finally {
    await running.close();
  }
}

const secrets: Design = {
  things: [
    { slug: 'plans', owner: 'bob', details: { secret: 'the harbour at nine' } },
    { slug: 'The herb garden', owner: 'ann', details: { secret: 'under the third stone' } },
  ],
  mayRead: (_thing, reader) => reader !== '',
};

further(test)('a secret of an object is found by the identifier that a list has beside its owner', async () => {
  const found = await result(secrets);
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  assert.match(found.findings[0]?.location?.url ?? '', /\/notes\/v1\/The%20herb%20garden$/);
  assert.not.match(stored(found), /third stone|harbour at nine/);
});

test('it is found of the second user, when the first has no object', async () => {
  const found = await result({ ...secrets, things: secrets.things.slice(0, 1) });
  assert.match(found.findings[0]?.location?.url ?? '', /\/notes\/v1\/plans$/, found.outcome.reason);
});

test('of accounts that begin without an object one that the observation has stored is found, unless its owner alone reads it', async () => {
  const empty = { things: [], takes: true } as const;
  const found = await result({ ...secrets, ...empty, things: [] });
  assert.match(found.findings[0]?.location?.url ?? '', /\/notes\/v1\/\w+$/, found.outcome.reason);
  const own = await result({ ...empty, things: [], mayRead: ({ owner }, reader) => owner === reader });
  assert.is(own.outcome.kind, 'clean', own.outcome.reason);
});

further(test)('an account that is asked for by the name of its user is found', async () => {
  const found = await result({
    ...secrets,
    path: '/users',
    things: [{ slug: 'ann', owner: 'ann', details: { api_token: 'k5Jx91mQz7Lp3RtV' } }],
    listed: ({ slug }) => ({ name: slug }),
  });
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

const clean: Record<string, Design> = {
  'whose objects are for their owners': { ...secrets, mayRead: ({ owner }, reader) => owner === reader },
  'whose objects are for everybody': { ...secrets, mayRead: () => true },
  'whose list has what is called a secret': {
    ...secrets,
    listed: ({ slug, owner, details }) => ({ slug, user: owner, ...details }),
  },
  'whose objects are posts of members': {
    ...secrets,
    things: secrets.things.map((thing) => ({
      ...thing,
      details: { body: 'A walk along the harbour at nine', views: 1200 },
    })),
  },
  'whose objects are profiles of members': {
    ...secrets,
    path: '/members',
    things: [
      {
        slug: 'ann',
        owner: 'ann',
        details: { phone: '0471 555 0134', street: '14 Harbour Lane', birthday: '1990-04-01' },
      },
    ],
  },
  'whose list does not show the owners': { ...secrets, listed: ({ slug }) => ({ slug, title: slug }) },
};

for (const [which, design] of firstRows(Object.entries(clean), 1)) {
  test(`a site ${which} is clean`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('an object whose list of members has both users is shared', async () => {
  const club = (users: readonly string[]): Design => ({
    things: (['ann', 'bob'] as const).map((owner) => ({
      ...{ slug: `club-of-${owner}`, owner },
      details: { secret: `the mooring of ${owner}`, users },
    })),
    mayRead: (_thing, reader) => reader !== '',
  });
  assert.is((await result(club(['ann', 'eve']))).findings.length, 1);
  assert.is((await result(club(['ann', 'bob', 'eve']))).findings.length, 0);
});

test.run();
