import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { dataExposure } from '../../../../workflows/checks/access/data-exposure.check.ts';
import { people, visitor } from '../../../fixtures/accounts.ts';
import { type Answer, type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { checkAgain, openAudit, runOn, stored, type TestIdentity } from '../harness.ts';

const test = suite('access.data-exposure');

const bcrypt = (salt: string) => `$2b$10$${salt.padEnd(22, 'x')}${'kOe7'.padEnd(31, 'Qr9')}`;
const sha1 = ['9c1185a5c5e9fc54612808977ee8f548b2258d31', '5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8'];
const row = (cells: string[], tag = 'td') => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;

/** A site that answers this at one address, and leads there. */
const site =
  (path: string, answer: Answer): Handler =>
  (request) => {
    if (request.path === '/') return html(`<a href="${path}">data</a>`);
    return request.path === path ? answer : undefined;
  };

async function result(handler: Handler) {
  const running = await startSite(handler);
  try {
    return await runOn(running.url, dataExposure);
  } finally {
    await running.close();
  }
}

const users = [
  { username: 'ann', email: people.ann.mail },
  { username: 'bob', email: people.bob.mail },
  { username: 'cid', email: 'cid@northwind.example' },
];

const vulnerable: Record<string, [Handler, RegExp]> = {
  'passwords as they are': [
    site('/users/v1/_debug', json({ users: users.map((user, at) => ({ ...user, password: `tulip-${at}` })) })),
    /passwords/,
  ],
  'hashes, deep in the answer': [
    site('/api/posts', json({ data: [{ title: 'One', author: { login: 'ann', credentials: bcrypt('a') } }] })),
    /password hashes/,
  ],
  'hashes without a format, under their name': [
    site('/api/people', json(users.slice(0, 2).map((user, at) => ({ ...user, passwordHash: sha1[at] })))),
    /password hashes/,
  ],
  'passwords in an older version of an interface': [
    ({ path }) =>
      path === '/'
        ? html('<a href="/api/v2/people">people</a>')
        : path === '/api/v2/people'
          ? json(users.map(({ username }) => ({ username })))
          : path === '/api/v1/people'
            ? json(users.map(({ username }, at) => ({ username, password: `tulip-${at}` })))
            : undefined,
    /passwords/,
  ],
  'hashes beside plain names': [
    site('/api/staff', json(users.slice(0, 2).map(({ username }, at) => ({ name: username, password: sha1[at] })))),
    /password hashes/,
  ],
  'passwords in each version of an interface, which is one weakness': [
    ({ path }) =>
      path === '/'
        ? html('<a href="/api/v2/people">people</a>')
        : /^\/api\/v[12]\/people$/.test(path)
          ? json(users.map(({ username }, at) => ({ username, password: `tulip-${at}` })))
          : undefined,
    /passwords/,
  ],
  'passwords in a document of XML': [
    site('/feed/people', {
      headers: { 'content-type': 'application/xml' },
      body: `<?xml version="1.0"?><people>${users.map(({ username, email }, at) => `<person><username>${username}</username><email>${email}</email><password>tulip-${at}</password></person>`).join('')}</people>`,
    }),
    /passwords/,
  ],
  'hashes in a table': [
    site(
      '/admin/users',
      html(
        `<table>${row(['Name', 'E-mail', 'Password'], 'th')}${users.map(({ username, email }) => row([username, email, `<code>${bcrypt(username)}</code>`])).join('')}</table>`,
      ),
    ),
    /password hashes/,
  ],
  keys: [
    site('/api/clients', json(users.map((user, at) => ({ ...user, api_key: `k5Jx91mQz7Lp3RtV${at}` })))),
    /keys or tokens/,
  ],
  'codes that reset passwords': [
    site('/api/clients', json(users.map((user, at) => ({ ...user, resetCode: `QX-44${at}` })))),
    /keys or tokens/,
  ],
  'cards and their holders': [
    site(
      '/api/payments',
      json({
        items: ['4539 5787 6362 1486', '5425233430109903'].map((cardNumber, at) => ({
          holder: users[at]?.username,
          cardNumber,
        })),
      }),
    ),
    /card numbers/,
  ],
};

for (const [what, [handler, words]] of firstRows(Object.entries(vulnerable), 2)) {
  test(`an answer with ${what} is found, and nothing of them is stored`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', words);
    assert.is(found.findings[0]?.severity, Severity.HIGH);
    assert.not.match(stored(found), /tulip|\$2b\$10|9c1185a5|northwind|k5Jx91|QX-44|4539|5425/);
  });
}

further(test)('login names with mail addresses, of which one is no list, are low', async () => {
  const found = await result(site('/users/v1', json({ users })));
  assert.equal([found.outcome.kind, found.findings[0]?.severity], ['found', Severity.LOW], found.outcome.reason);
});

for (const [what, record] of [
  ['health data', (at: number) => ({ name: `Pat ${at}`, diagnosis: `asthma, grade ${at}` })],
  [
    'telephone numbers of customers',
    (at: number) => ({ customer: `Cus ${at}`, phone: `+49 170 555 010${at}`, total: 12 }),
  ],
  [
    'dates of birth and homes',
    (at: number) => ({ name: `Per ${at}`, born: '1961-02-03', address: `Lindenweg ${at}, Ulm` }),
  ],
] as const)
  further(test)(`${what} of several people are medium`, async () => {
    const found = await result(site('/api/export', json({ rows: [record(1), record(2)] })));
    assert.equal([found.outcome.kind, found.findings[0]?.severity], ['found', Severity.MEDIUM], found.outcome.reason);
    const one = await result(site('/api/export', json({ rows: [record(1)] })));
    assert.is(one.outcome.kind, 'clean', one.outcome.reason);
  });

const clean: Record<string, Answer> = {
  'a directory of those who can be called': json([
    { name: 'Ann Lee', role: 'Sales', phone: '+49 170 555 0101', email: people.ann.mail },
    { name: 'Bob Ray', role: 'Service', phone: '+49 170 555 0102', email: people.bob.mail },
  ]),
  'branches and their addresses': json([
    { name: 'North', address: 'Lindenweg 8, Ulm', phone: '+49 170 555 0101' },
    { name: 'South', address: 'Seeweg 2, Ulm', phone: '+49 170 555 0102' },
  ]),
  'authors and when they were born': json([
    { name: 'Ann Lee', born: '1961-02-03', books: 3 },
    { name: 'Bob Ray', born: '1981-02-03', books: 1 },
  ]),
  'programs and where they are': json([
    { client: 'lamp-1', address: '10.0.0.17' },
    { client: 'lamp-2', address: '10.0.0.18' },
  ]),
  'the same people without what is private': json({ users: users.map(({ username }) => ({ username, posts: 3 })) }),
  'masked passwords': json(users.map(({ username }) => ({ username, password: '********' }))),
  'one password of all, a label': json(users.map(({ username }) => ({ username, password: 'Password' }))),
  'the description of an interface': json({
    openapi: '3.0.0',
    paths: {},
    example: users.map((user, at) => ({ ...user, password: `tulip-${at}` })),
  }),
  'the schema of a form': json({
    fields: [
      { name: 'username', type: 'text' },
      { name: 'password', type: 'password', minLength: 8 },
    ],
  }),
  'translated labels': json({ username: 'Benutzername', password: 'Passwort', token: 'Einmalcode' }),
  'a token of the page, for one visitor': json({ csrf: 'k5Jx91mQz7Lp3RtV', session: { token: 'Aq81kxP0mz73LpRt' } }),
  'names of maintainers with addresses, one each': json({
    packages: [{ name: 'lamp', publisher: { username: 'ann', email: people.ann.mail } }],
  }),
  'orders with numbers that are no cards': json([
    { holder: 'ann', card: '1234567890123456' },
    { holder: 'bob', card: '4111111111111112' },
  ]),
  'checksums of files': json([
    { user: 'ann', sha1: sha1[0] },
    { user: 'bob', sha1: sha1[1] },
  ]),
  'an article on hashes': html(
    `<table>${row(['Algorithm', 'Example'], 'th')}${row(['bcrypt', bcrypt('a')])}${row(['bcrypt', bcrypt('b')])}</table>`,
  ),
  'JSON that is none': { headers: { 'content-type': 'application/json' }, body: '{"users": [' },
};

for (const [what, answer] of firstRows(Object.entries(clean), 6)) {
  test(`an answer with ${what} is clean`, async () => {
    const found = await result(site('/api/users', answer));
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('a site that shows it at every address is clean: nothing shows what the address is for', async () => {
  const answer = json(users.map((user, at) => ({ ...user, password: `tulip-${at}` })));
  const found = await result((request) => (request.path === '/' ? html('<a href="/api/x">x</a>') : answer));
  assert.is(found.findings.length, 0, found.outcome.reason);
});

const identities = (
  [
    ['A', people.ann],
    ['B', people.bob],
  ] as const
).map(
  ([name, person]): TestIdentity => ({
    name,
    cookies: { sid: person.session },
    checkPath: '/account',
    marker: person.name,
  }),
);

/** Behind a login, a user is given this. */
async function resultBehindLogin(path: string, answerFor: (name: string) => Answer, role = 'user') {
  const running = await startSite((request) => {
    const reader = visitor(request);
    if (request.path === '/') return html('<a href="/account">Account</a>');
    if (!reader) return html('no', 401);
    if (request.path === '/account') return html(`<p>Signed in as ${reader.name}</p><a href="${path}">data</a>`);
    return request.path === path ? answerFor(reader.name) : undefined;
  });
  const audit = await openAudit(running.url, { identities: identities.map((each) => ({ ...each, role })) });
  try {
    return await checkAgain(audit, dataExposure, 'A');
  } finally {
    await audit.close();
    await running.close();
  }
}

const hashed = json(users.map((user) => ({ ...user, password: bcrypt(user.username) })));

further(test)('what every user is given of all others is found, and needs an account', async () => {
  const found = await resultBehindLogin('/app/admin/usersapi', () => hashed);
  assert.equal([found.outcome.kind, found.findings[0]?.severity], ['found', Severity.MEDIUM], found.outcome.reason);
});

further(test)('hashes of the authors beside what the answer is about are found with an account, too', async () => {
  const posts = json(
    users.map((user) => ({ title: `By ${user.username}`, author: { ...user, password: bcrypt(user.username) } })),
  );
  const found = await resultBehindLogin('/api/posts', () => posts);
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

const own = (name: string) =>
  json([1, 2, 3].map((at) => ({ login: `${name} ${at}`, password: `${name}-tulip-${at}`.replace(' ', '') })));
for (const [what, path, answerFor, role] of firstRows(
  [
    ['an administrator', '/app/admin/usersapi', () => hashed, 'admin'],
    ['a user of their own hash', '/api/users/me', () => json({ username: 'ann', password: bcrypt('a') }), 'user'],
    ['a user of accounts elsewhere that they keep', '/api/vault', own, 'user'],
    [
      'a user of accounts of their own that only they see',
      '/api/accounts',
      (name: string) => (name === people.ann.name ? own(name) : json([])),
      'user',
    ],
  ] as const,
  2,
)) {
  test(`what is shown to ${what} is clean`, async () => {
    const found = await resultBehindLogin(path, answerFor, role);
    assert.is(found.findings.length, 0);
  });
}

/** A server with one query, which describes itself. @param fields of the people that it gives */
const graphQl =
  (fields: readonly string[]): Handler =>
  ({ path, method, body }) => {
    if (path === '/') return html('<a href="/api/graphql">data</a>');
    if (path !== '/api/graphql') return undefined;
    if (method !== 'POST') return json({ errors: [{ message: 'a query is missing' }] });
    const { query } = JSON.parse(body) as { query: string };
    const scalar = { kind: 'SCALAR', name: 'String' };
    const person = { kind: 'OBJECT', name: 'Person' };
    const types = [
      { kind: 'OBJECT', name: 'Query', fields: [{ name: 'team', type: { kind: 'LIST', ofType: person }, args: [] }] },
      { ...person, fields: fields.map((name) => ({ name, type: scalar, args: [] })) },
    ];
    if (query.includes('__schema')) return json({ data: { __schema: { queryType: { name: 'Query' }, types } } });
    const team = users.map((user, at) => ({
      ...user,
      password: `tulip-${at}`,
      phoneticName: user.username,
    }));
    const asked = fields.filter((name) => new RegExp(`\\b${name}\\b`).test(query));
    return json({
      data: {
        team: team.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => asked.includes(name)))),
      },
    });
  };

further(test)(
  'private fields that a query of GraphQL gives everybody are found, and the names of people are not',
  async () => {
    const found = await result(graphQl(['username', 'password']));
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.is(found.findings[0]?.location?.method, 'POST');
    const clean = await result(graphQl(['username', 'phoneticName']));
    assert.equal([clean.outcome.kind, clean.findings.length], ['clean', 0], clean.outcome.reason);
  },
);

/** A server with one query for the one person with a number. */
const graphQlOfOne: Handler = ({ path, method, body }) => {
  if (path === '/') return html('<a href="/api/graphql">data</a>');
  if (path !== '/api/graphql') return undefined;
  if (method !== 'POST') return json({ errors: [{ message: 'a query is missing' }] });
  const { query, variables = {} } = JSON.parse(body) as { query: string; variables?: Record<string, number> };
  const [text, id] = ['String', 'Int'].map((name) => ({ kind: 'SCALAR', name }));
  const person = { kind: 'OBJECT', name: 'Person' };
  const types = [
    { kind: 'OBJECT', name: 'Query', fields: [{ name: 'rower', type: person, args: [{ name: 'no', type: id }] }] },
    { ...person, fields: ['username', 'password'].map((name) => ({ name, type: text, args: [] })) },
  ];
  if (query.includes('__schema')) return json({ data: { __schema: { queryType: { name: 'Query' }, types } } });
  const called = [...query.matchAll(/(?:(\w+): )?rower\(no: \$(\w+)\)/g)];
  const data = called.map(([, alias = 'rower', name = '']) => [
    alias,
    { username: `rower-${variables[name]}`, password: `tulip-${variables[name]}` },
  ]);
  return json({ data: Object.fromEntries(data) });
};

test('a query of GraphQL for one person is asked for two of them at once', async () => {
  const found = await result(graphQlOfOne);
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

test.run();
