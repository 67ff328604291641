import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { idorNeighbour } from '../../../../workflows/checks/access/idor-neighbour.check.ts';
import { neighboursOf } from '../../../../workflows/checks/sessions/neighbour-ids.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Answer, type Handler, html, json, type Request, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, places, runOn, testBrowsers } from '../harness.ts';

const test = suite('access.idor-neighbour');

const members = [
  { number: 41, name: 'greta', mail: 'greta@northwind.example' },
  { number: 42, name: 'henry', mail: 'henry@northwind.example' },
  { number: 43, name: 'irene', mail: 'irene@northwind.example' },
] as const;
type Member = (typeof members)[number];
const henry = members[1];
const session = 'session-of-henry-1f3a9c';
const missing = html('<h1>Not found</h1>', 404);

/** A site with one user, whose account leads to what is theirs at `own`; `show` answers everything else. */
const site =
  (own: string, show: (request: Request, reader: Member | undefined) => Answer | undefined): Handler =>
  (request) => {
    const reader = request.cookies.sid === session ? henry : undefined;
    if (request.path === '/') return html('<h1>Northwind</h1><a href="/account">Account</a>');
    if (request.path !== '/account') return show(request, reader);
    if (!reader) return { status: 302, headers: { location: '/' } };
    return html(`<p>Signed in as ${henry.name}, ${henry.mail}</p>${own}`);
  };

async function result(
  handler: Handler,
  cookies: Record<string, string> = {},
  browsers?: BrowserPool,
  depth: 'standard' | 'deep' = 'standard',
  writes: 'reversible' | 'create' = 'reversible',
) {
  const started = await startSite(handler);
  const identity = {
    name: 'A',
    cookies: { sid: session, ...cookies },
    checkPath: '/account',
    marker: henry.mail,
  };
  try {
    return await runOn(started.url, idorNeighbour, {
      identities: [identity],
      startPaths: ['/account'],
      ...(browsers && { browsers }),
      ...{ depth, writes },
    });
  } finally {
    await started.close();
  }
}

const invoice = (member: Member | undefined): Answer =>
  member
    ? html(
        `<p>Signed in as henry</p><h1>Invoice</h1><dl><dt>Customer</dt><dd>${member.name}</dd><dt>Total</dt><dd>12.50</dd></dl>`,
      )
    : missing;

const invoices = (mayRead: (member: Member) => boolean) =>
  site('<a href="/invoices/1042">Invoice</a>', ({ path }, reader) => {
    const [, number] = /^\/invoices\/(\d+)$/.exec(path) ?? [];
    if (number === undefined || !reader) return undefined;
    const member = members.find((each) => each.number + 1_000 === Number(number));
    return invoice(member && mayRead(member) ? member : undefined);
  });

further(test)(
  'with one user, an invoice of somebody else is found by the number beside that of their own',
  async () => {
    const found = await result(invoices(() => true));
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.match(found.findings[0]?.location?.url ?? '', /\/invoices\/1042$/);
  },
);

test('the same site is clean when each reads their own alone', async () => {
  const found = await result(invoices((member) => member === henry));
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

/** Rows of other tables are between them. */
const sparse = (mayRead: (member: Member) => boolean) =>
  site('<a href="/invoices/1042">Invoice</a>', ({ path }, reader) => {
    const [, number] = /^\/invoices\/(\d+)$/.exec(path) ?? [];
    if (number === undefined || !reader) return undefined;
    const member = members.find((each) => 1_042 + (each.number - 42) * 4 === Number(number));
    return invoice(member && mayRead(member) ? member : undefined);
  });

further(test)('numbers further away are tried where those beside name nothing', async () => {
  assert.is((await result(sparse(() => true))).findings.length, 1);
  assert.is((await result(sparse((member) => member === henry))).findings.length, 0);
});

const buyers = new Map([
  [1042, 'Henry Lund'],
  [1043, 'Irene Moss'],
]);

/** The pages of a user greet them by a name that is not that of the session, and each object has one of another form. */
const receipts = (mayRead: (number: number) => boolean): Handler =>
  site('<h1>Welcome back, Henry Lund!</h1><a href="/receipt?no=1042">Receipt</a>', ({ path, query }, reader) => {
    const number = Number(query.get('no'));
    const name = buyers.get(number);
    if (path !== '/receipt' || !reader) return undefined;
    return name && mayRead(number) ? html(`<h2>Receipt</h2><p>Name: ${name}<p>Total: 12.50`) : missing;
  });

further(test)(
  'a receipt is of somebody else where it has another name than that by which the site greets its user',
  async () => {
    const found = await result(receipts(() => true));
    assert.equal(places(found), ['GET /receipt no'], found.outcome.reason);
    assert.equal(places(await result(receipts((number) => number === 1042))), []);
  },
);

const byHeader = (mayRead: (member: Member) => boolean) =>
  site(
    '<p id="out"></p><script>fetch("/api/berth", {headers: {"X-Member-Id": "42"}}).then((r) => r.text()).then((t) => { out.textContent = t; });</script>',
    ({ path, headers }, reader) => {
      const member = members.find(({ number }) => String(number) === headers['x-member-id']);
      if (path !== '/api/berth' || !reader) return undefined;
      return member && mayRead(member) ? json({ holder: member.name, berth: `${member.number}-north` }) : missing;
    },
  );

further(test)('a number in a header that script sends is counted where it is believed, and nowhere else', async () => {
  const browsers = testBrowsers({ sandbox: 'off' } as never);
  for (const [mayRead, count] of [
    [() => true, 1],
    [(member: Member) => member === henry, 0],
  ] as const) {
    const found = await result(byHeader(mayRead), {}, browsers);
    assert.is(found.findings.length, count, found.outcome.reason);
  }
  await browsers.close();
});

const keyOf = ({ number }: Member): string => Buffer.from(`stmt-${number}-1`).toString('base64url');
const digestOf = ({ number }: Member): string => createHash('md5').update(String(number)).digest('hex');

const statements = (keyFor: (member: Member) => string, mayRead: (member: Member) => boolean) =>
  site(`<a href="/statement?file=${keyFor(henry)}">Statement</a>`, ({ path, query }, reader) => {
    if (path !== '/statement' || !reader) return undefined;
    const member = members.find((each) => keyFor(each) === query.get('file'));
    if (!member || !mayRead(member)) return missing;
    return { headers: { 'content-type': 'text/plain' }, body: `Statement 1 of ${member.name}\nBalance 120.10` };
  });

for (const [what, keyFor] of firstRows(
  [
    ['base64', keyOf],
    ['a digest', digestOf],
  ] as const,
  1,
)) {
  test(`a number that ${what} hides is counted, too`, async () => {
    const found = await result(statements(keyFor, () => true));
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  });
  test(`a hidden number (${what}) is clean when each reads their own alone`, async () => {
    const found = await result(statements(keyFor, (member) => member === henry));
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

further(test)('a digest and a number with an ending are counted in a path, too', async () => {
  const handler = site(
    `<a href="/record/${digestOf(henry)}">Record</a><a href="/bill/1042.pdf">Bill</a>`,
    ({ path }, reader) => {
      const member = members.find(
        (each) => path === `/record/${digestOf(each)}` || path === `/bill/${each.number + 1_000}.pdf`,
      );
      if (!member || !reader) return undefined;
      if (path.startsWith('/bill'))
        return {
          headers: { 'content-type': 'application/pdf' },
          body: `%PDF-1.4\n% Bill of ${member.name} <${member.mail}> total 12\n%%EOF`,
        };
      return html(`<h1>Medical record</h1><p>Patient ${member.name}, ${member.mail}</p>`);
    },
  );
  const found = await result(handler);
  assert.equal(found.findings.length, 2, found.outcome.reason);
});

/** The account page is that of whoever the cookie names, or of the session. */
const byCookie =
  (trusts: boolean): Handler =>
  ({ path, cookies }) => {
    if (path === '/') return html('<h1>Bank</h1><a href="/account">Account</a>');
    if (path !== '/account') return undefined;
    if (cookies.sid !== session) return { status: 302, headers: { location: '/' } };
    const member = trusts ? members.find(({ number }) => String(number) === cookies.uid) : henry;
    return member ? html(`<p>Name: ${member.name}</p><p>Mail: ${member.mail}</p>`) : missing;
  };

test('a cookie beside the session that says whose account is shown is found', async () => {
  const found = await result(byCookie(true), { uid: '42' });
  assert.equal([found.outcome.kind, found.findings[0]?.location?.parameter], ['found', 'uid'], found.outcome.reason);
});

for (const [what, trusts, count] of [
  ['is found', true, 1],
  ['that nothing is taken from is clean', false, 0],
] as const)
  test(`a cookie that is a number and called after a thing ${what}`, async () => {
    const handler: Handler = (request) =>
      byCookie(trusts)({ ...request, cookies: { ...request.cookies, uid: request.cookies.berth ?? '' } });
    const found = await result(handler, { berth: '42' });
    assert.equal(found.findings.length, count, found.outcome.reason);
  });

/** The session itself is an object that says whose it is. */
const ofObject =
  (isSigned: boolean): Handler =>
  ({ path, cookies }) => {
    if (path === '/') return html('<h1>Diaries</h1><a href="/account">Account</a><a href="/diary">Diary</a>');
    if (path !== '/account' && path !== '/diary') return undefined;
    const auth = Buffer.from(cookies.auth ?? '', 'base64').toString();
    const number = /"uid":(\d+)/.exec(auth)?.[1];
    const member = members.find((each) => String(each.number) === number);
    if (!member || (isSigned && member.number !== 42)) return html('<p>Log in first.</p>');
    if (path === '/account') return html(`<p>${member.number === 42 ? henry.mail : ''}</p><p>Hello again</p>`);
    return html(`<h1>Diary of ${member.name}</h1><p>Mail: ${member.mail}</p>`);
  };

for (const [what, isSigned, count] of [
  ['is found', false, 1],
  ['that nobody else can make is clean', true, 0],
] as const)
  further(test)(`a cookie that is an object with the number of its user ${what}`, async () => {
    const auth = Buffer.from('{"uid":42,"since":1795854487}').toString('base64');
    const found = await result(ofObject(isSigned), { auth });
    assert.equal(found.findings.length, count, found.outcome.reason);
  });

test('such a cookie that nothing is taken from is clean', async () => {
  const found = await result(byCookie(false), { uid: '42' });
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

const greeted =
  (trusts: boolean): Handler =>
  ({ path, cookies }) => {
    if (path === '/') return html('<h1>Club</h1><a href="/account">Account</a>');
    if (path !== '/account') return undefined;
    if (cookies.sid !== session) return { status: 302, headers: { location: '/' } };
    const member = trusts ? members.find(({ number }) => String(number) === cookies.uid) : henry;
    return member ? html(`<p>Hi ${member.name}!</p><p>${member === henry ? henry.mail : ''}</p>`) : missing;
  };

for (const [what, trusts, count] of [
  ['is found', true, 1],
  ['that nothing is taken from is clean', false, 0],
] as const)
  test(`a cookie that says who is greeted ${what}`, async () => {
    const found = await result(greeted(trusts), { uid: '42' });
    assert.equal(found.findings.length, count, found.outcome.reason);
  });

/** Pages about members on which a line stands that differs. */
const balances =
  (line: (member: Member) => string): Handler =>
  ({ path, query, cookies }) => {
    if (path === '/') return html('<h1>Bank</h1><a href="/account">Account</a>');
    if (cookies.sid !== session) return { status: 302, headers: { location: '/' } };
    if (path === '/account') return html(`<p>Signed in as henry, ${henry.mail}</p><a href="/profile?id=42">Me</a>`);
    const member = members.find(({ number }) => path === '/profile' && String(number) === query.get('id'));
    return member ? html(`<h1>Member</h1><p>Name: ${member.name}</p>${line(member)}`) : missing;
  };

for (const [what, line, count] of [
  ['a balance', ({ number }: Member) => `<p>Balance: ${number},204.11 EUR</p>`, 1],
  ['a salary', ({ number }: Member) => `<dl><dt>Monthly salary</dt>\n<dd>${number * 71}</dd></dl>`, 1],
  ['what they like', ({ number }: Member) => `<dl><dt>Favourite colour</dt><dd>blue ${number}</dd></dl>`, 0],
  ['a balance that is not shown', ({ number }: Member) => `<p>Balance: ${number === 42 ? '1,204' : '*****'}</p>`, 0],
] as const)
  test(`pages about people with ${what} are ${count === 0 ? 'no finding' : 'found'}`, async () => {
    const found = await result(balances(line));
    assert.equal(found.findings.length, count, found.outcome.reason);
  });

const people =
  (mayRead: (member: Member) => boolean): Handler =>
  ({ path, cookies }) => {
    if (path === '/') return html('<h1>Fleet</h1><a href="/account">Account</a>');
    if (cookies.sid !== session) return { status: 302, headers: { location: '/' } };
    // The account page shows no mail address: the interface alone has it.
    if (path === '/account') return html('<p>Signed in as henry</p><a href="/api/users/42">Data</a>');
    const member = members.find(({ number }) => path === `/api/users/${number}`);
    return member && mayRead(member) ? json({ id: member.number, name: member.name, email: member.mail }) : missing;
  };

for (const [what, mayRead, count] of [
  ['is found', () => true, 1],
  ['is clean when each is given their own alone', (member: Member) => member === henry, 0],
] as const)
  further(test)(`an interface of people that has the mail address of each ${what}`, async () => {
    const started = await startSite(people(mayRead));
    const identity = { name: 'A', cookies: { sid: session }, checkPath: '/account', marker: 'henry' };
    try {
      const audit = await openAudit(started.url, { identities: [identity], startPaths: ['/account'] });
      const [own] = Object.values(audit.context.identities);
      if (own) own.userName = henry.name;
      const found = await check(audit, idorNeighbour);
      await audit.close();
      assert.equal(found.findings.length, count, found.outcome.reason);
    } finally {
      await started.close();
    }
  });

const decoys: [string, Handler][] = [
  [
    'articles that say who wrote them',
    site('<a href="/articles/1042">Mine</a>', ({ path }, reader) => {
      const member = members.find(({ number }) => path === `/articles/${number + 1_000}`);
      return member && reader ? html(`<h1>Picnic</h1><p>Written by <b>${member.name}</b></p>`) : undefined;
    }),
  ],
  [
    'pages of members that show no mail address',
    site('<a href="/members/42">Me</a>', ({ path }, reader) => {
      const member = members.find(({ number }) => path === `/members/${number}`);
      return member && reader ? html(`<h1>Member</h1><p>Name: ${member.name}</p>`) : undefined;
    }),
  ],
  [
    'pages of members whose number stands behind the question mark',
    site('<a href="/profile?id=42">Me</a>', ({ path, query }, reader) => {
      const member = members.find(({ number }) => path === '/profile' && String(number) === query.get('id'));
      return member && reader ? html(`<h1>Member</h1><p>Name: ${member.name}</p>`) : undefined;
    }),
  ],
  [
    'pages that anybody may read',
    site('<a href="/results/42">Result</a>', ({ path }) => {
      const member = members.find(({ number }) => path === `/results/${number}`);
      return member ? html(`<h1>Marathon</h1><p>Runner: ${member.name}</p>`) : undefined;
    }),
  ],
  [
    'an address that shows the user’s own whatever its number',
    site('<a href="/orders/42">Order</a>', ({ path }, reader) =>
      /^\/orders\/\d+$/.test(path) && reader
        ? html(`<h1>Order ${path.slice(8)}</h1><p>Customer: ${reader.name}</p>`)
        : undefined,
    ),
  ],
  [
    'objects of others that the site itself leads the user to',
    site('<a href="/tasks/42">A</a><a href="/tasks/43">B</a>', ({ path }, reader) => {
      const member = members.find(({ number }) => path === `/tasks/${number}`);
      return member && reader ? html(`<h1>Task</h1><p>Owner: ${member.name}</p>`) : undefined;
    }),
  ],
  [
    'an interface that answers an unknown number with a word instead of a name',
    site('<a href="/api/parcels/42">Parcel</a>', ({ path }, reader) =>
      path.startsWith('/api/parcels/') && reader
        ? json({ id: path.slice(13), customer: path.endsWith('/42') ? reader.name : 'nobody' })
        : undefined,
    ),
  ],
];

for (const [what, handler] of firstRows(decoys, 3))
  test(`${what} are no finding`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });

test('what counts in an identifier is found in its encoding, and chance is left alone', () => {
  assert.equal(neighboursOf('0042')?.values.slice(0, 2), ['0041', '0043']);
  assert.equal(neighboursOf('INV-2024-17')?.values.slice(0, 2), ['INV-2024-16', 'INV-2024-18']);
  assert.ok(neighboursOf('slip_2044_2026-03.txt')?.values.includes('slip_2045_2026-03.txt'));
  assert.equal(neighboursOf('MTAwMg==')?.values.slice(0, 2), ['MTAwMQ==', 'MTAwMw==']);
  assert.equal(neighboursOf('3f2b8c1e-9d4a-4c6b-8f10-2a7e5d90b1c3'), undefined);
  assert.equal(neighboursOf('9f86d081884c7d659a2feaa0c55ad015'), undefined);
});

further(test)(
  'of what one address of GraphQL gives by numbers, each kind is looked at, and members who see each other are none',
  async () => {
    const queries = ['member(id: $id) { name town }', 'note(id: $id) { owner words }'];
    const script = queries
      .map((field, index) => ({
        operationName: `Q${index}`,
        query: `query Q${index}($id: ID!) { ${field} }`,
        variables: { id: `${41 + index * 100 + 1}` },
      }))
      .map(
        (body) =>
          `fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(body)}' });`,
      )
      .join('');
    const handler = site(`<script>${script}</script>`, ({ path, method, body }, reader) => {
      if (path !== '/graphql' || method !== 'POST') return undefined;
      const { query, variables } = JSON.parse(body || '{}');
      if (!reader) return json({ errors: [{ message: 'not logged in' }] });
      const about = (offset: number) => members.find(({ number }) => `${number + offset}` === `${variables?.id}`);
      if (/member\(/.test(query))
        return json({ data: { member: about(0) ? { name: about(0)?.name, town: 'Bergen' } : null } });
      return json({ data: { note: about(100) ? { owner: about(100)?.name, words: 'Pay the rent' } : null } });
    });
    const browsers = testBrowsers();
    try {
      const found = await result(handler, {}, browsers, 'deep');
      assert.equal(found.findings.length, 1, found.outcome.reason);
      assert.match(inspect(found.findings[0], { depth: null }), /note\(id/);
    } finally {
      await browsers.close();
    }
  },
);

/** A shop whose one address of GraphQL describes itself; a page asks for the list of the user's own orders, and nothing for one of them. */
const queried = (mayRead: (member: Member) => boolean): Handler => {
  const name = (type: string) => ({ kind: 'SCALAR', name: type, ofType: null });
  const field = (called: string, type: object, args: object[] = []) => ({ name: called, args, type });
  const order = { kind: 'OBJECT', name: 'Order', ofType: null };
  const types = [
    {
      ...{ kind: 'OBJECT', name: 'Query', enumValues: null, inputFields: null },
      fields: [
        field('myOrders', { kind: 'LIST', name: null, ofType: order }),
        field('order', order, [{ name: 'id', type: { kind: 'NON_NULL', name: null, ofType: name('Int') } }]),
      ],
    },
    {
      ...{ kind: 'OBJECT', name: 'Order', enumValues: null, inputFields: null },
      fields: ['id', 'item', 'customer'].map((each) => field(each, name(each === 'id' ? 'Int' : 'String'))),
    },
  ];
  const orderOf = (member: Member) => ({ id: member.number + 400, item: 'Lamp', customer: member.mail });
  const own = JSON.stringify({ query: '{ myOrders { id item } }' });
  const script = `fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${own}' });`;
  return site(`<script>${script}</script>`, ({ path, method, body }, reader) => {
    if (path !== '/graphql' || method !== 'POST') return undefined;
    const { query, variables } = JSON.parse(body || '{}');
    if (/__schema/.test(query))
      return json({ data: { __schema: { queryType: { name: 'Query' }, mutationType: null, types } } });
    if (!reader) return json({ errors: [{ message: 'not logged in' }] });
    if (/myOrders/.test(query)) return json({ data: { myOrders: [orderOf(reader)] } });
    const of = members.find(({ number }) => number + 400 === variables?.id);
    return json({ data: { order: of && mayRead(of) ? orderOf(of) : null } });
  });
};

further(test)(
  'an object that nothing but a schema asks for is tried beside one that a list of the user names',
  async () => {
    const browsers = testBrowsers();
    const all = (member: Member) => member !== members[0];
    try {
      const found = await result(queried(all), {}, browsers, 'deep');
      assert.equal(found.findings.length, 1, found.outcome.reason);
      const mended = await result(
        queried((member) => member === henry),
        {},
        browsers,
        'deep',
      );
      assert.equal(mended.findings.length, 0, mended.outcome.reason);
    } finally {
      await browsers.close();
    }
  },
);

/** An interface with a description, in whose address the survey itself puts the number of somebody else. */
const described = (mayRead: (number: number) => boolean): Handler => {
  const people = [
    { id: 1, username: 'greta', email: 'greta@northwind.example' },
    { id: 2, username: 'henry', email: 'henry@northwind.example' },
  ];
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const get = { parameters, responses: { 200: { description: 'A member' } } };
  const paths = { '/api/members/{id}': { get }, '/api/members/me': { get: { responses: get.responses } } };
  return ({ path, cookies }) => {
    if (path === '/') return html('<a href="/openapi.json">Interface</a>');
    if (path === '/openapi.json') return json({ openapi: '3.0.0', info: { title: 'Members', version: '1' }, paths });
    const [, number = ''] = /^\/(?:account|api\/members\/(me|\d+))$/.exec(path) ?? ['', 'none'];
    if (number === 'none') return undefined;
    if (cookies.sid !== session) return json({ detail: 'Not logged in' }, 401);
    const person = /^\d+$/.test(number) ? people.find(({ id }) => id === Number(number)) : people[1];
    return person && (person.id === 2 || mayRead(person.id)) ? json(person) : json({ detail: 'No such member' }, 404);
  };
};

further(test)('an address that a document describes alone is nothing that a user was shown', async () => {
  const found = await result(
    described(() => true),
    {},
    undefined,
    'deep',
  );
  assert.equal(places(found), ['GET /api/members/1 3'], found.outcome.reason);
  const mended = await result(
    described(() => false),
    {},
    undefined,
    'deep',
  );
  assert.equal([mended.outcome.kind, places(mended)], ['clean', []], mended.outcome.reason);
});

const ledgers = [
  { number: 7301, holder: 'Henry Oakes' },
  { number: 7302, holder: 'Irene Salt' },
  { number: 7303, holder: 'Henry Oakes' },
];
/** A form for each invoice, whose names the account does not have. */
const formOf = ({ number }: (typeof ledgers)[number]): string =>
  `<form method="post" action="/invoice"><input type="hidden" name="no" value="${number}"><button>Show</button></form>`;
const namedInvoices = (mayRead: (holder: string) => boolean) =>
  site(
    ledgers
      .filter(({ holder }) => holder === 'Henry Oakes')
      .map(formOf)
      .join(''),
    ({ path, body }, reader) => {
      if (path !== '/invoice') return undefined;
      if (!reader) return { status: 302, headers: { location: '/' } };
      const found = ledgers.find(({ number }) => String(number) === new URLSearchParams(body).get('no'));
      return found && mayRead(found.holder)
        ? html(`<h1>Invoice ${found.number}</h1><p>To: ${found.holder}, Mill Lane</p>`)
        : missing;
    },
  );

further(test)(
  'a document of somebody else is known by the name that all own ones bear, though the account does not have it',
  async () => {
    const found = await result(
      namedInvoices(() => true),
      {},
      undefined,
      'deep',
      'create',
    );
    assert.equal(places(found), ['POST /invoice no'], found.outcome.reason || found.outcome.kind);
    const mended = await result(
      namedInvoices((holder) => holder === 'Henry Oakes'),
      {},
      undefined,
      'deep',
      'create',
    );
    assert.equal([mended.outcome.kind, mended.findings.length], ['clean', 0], mended.outcome.reason);
  },
);

const [openNote, secretNote] = [
  '6c1f0a52-7d3b-4e8a-a1c4-90b2d57e3f16',
  'e2b87d40-15c9-4f63-a8d0-3b6a9c71f284',
] as const;

/** Notes without a name in them, of which a page names all; each reads the open one. */
const notes = (
  mayExport: (id: string, reader: Member | undefined) => boolean,
  mayRead = (id: string): boolean => id === openNote,
) =>
  site(
    `<a href="/note?id=${openNote}">Note</a><p data-note="${secretNote}">A private note`,
    ({ path, query }, reader) => {
      const id = query.get('id') ?? '';
      if (id !== openNote && id !== secretNote) return missing;
      if (path === '/note')
        return mayRead(id) ? html(`<p>Ten trees</p><a href="/note/export?id=${id}">Text</a>`) : missing;
      if (path !== '/note/export') return missing;
      return mayExport(id, reader) ? { body: 'left 14, right 32', headers: { 'content-type': 'text/plain' } } : missing;
    },
  );

test('what a page refuses and a function gives out is found where nothing says whose it is', async () => {
  const found = await result(notes((_, reader) => reader !== undefined));
  assert.equal(places(found), ['GET /note/export id'], found.outcome.reason);
});

test('a function that refuses what its page refuses is silent, and so is one that gives to everybody, or beside a page that does', async () => {
  for (const mended of [
    notes((id, reader) => reader !== undefined && id === openNote),
    notes(() => true),
    notes(
      (_, reader) => reader !== undefined,
      () => true,
    ),
  ]) {
    const clean = await result(mended);
    assert.equal(places(clean), [], clean.outcome.reason);
  }
});

test('a file of another kind of thing, whose number an own page merely shares, is no evidence', async () => {
  const shared = (folder: string) =>
    site(`<a href="/trees/7">A tree</a> <a href="/${folder}/7/download">A file</a>`, ({ path }, reader) => {
      if (path === '/trees/7') return html('<p>Ten trees</p>');
      const isFile = path === `/${folder}/7/download` || path === `/${folder}/8/download`;
      return isFile && reader ? { body: 'left 14, right 32', headers: { 'content-type': 'text/plain' } } : missing;
    });
  assert.equal(places(await result(shared('letters'))), []);
  assert.equal(places(await result(shared('trees'))).length, 1);
});

test('what the list of its kind shows the user of others is meant to be shared', async () => {
  const boats = (listed: readonly Member[]) =>
    site('<a href="/api/boats/42/">Boat</a>', ({ path }, reader) => {
      const shown = ({ number, mail }: Member) => ({ id: number, made_by: { mail }, berth: `pier ${number}` });
      if (!reader) return missing;
      if (path === '/api/boats/') return json({ results: listed.map(shown) });
      const boat = members.find(({ number }) => path === `/api/boats/${number}/`);
      return boat ? json(shown(boat)) : missing;
    });
  assert.equal(places(await result(boats([henry]))).length, 1);
  assert.equal(places(await result(boats(members))), []);
});

/** A note whose copy is made by a form, and has an address of its own for whoever has sent that. */
function copies(mayCopy: (member: Member) => boolean): Handler {
  const made: Member[] = [];
  let token = 'token-of-the-page-0';
  return site('<a href="/notes/1042">Note</a>', ({ path, method, body }, reader) => {
    if (!reader) return { status: 302, headers: { location: '/' } };
    if (path === '/notes/1042') token = `token-of-the-page-${made.length}`;
    const form = `<form method="post" action="/notes/export"><input type="hidden" name="csrf" value="${token}"><input type="hidden" name="note" value="1042"><button>Export as text</button></form>`;
    if (path === '/notes/1042') return html(`<p>Note of ${reader.name}</p>${form}`);
    if (path === '/notes/export' && method === 'POST') {
      const sent = new URLSearchParams(body);
      if (sent.get('csrf') !== token) return html('<h1>Send it again</h1>', 403);
      const asked = Number(sent.get('note'));
      const member = members.find((each) => each.number + 1_000 === asked && mayCopy(each));
      if (!member) return missing;
      made.push(member);
      return { status: 303, headers: { location: `/copies/c${made.length}x${made.length * 7919}` } };
    }
    const [, number] = /^\/copies\/c(\d+)x\d+$/.exec(path) ?? [];
    const copied = made[Number(number) - 1];
    return copied && html(`<h1>Copy</h1><dl><dt>Owner</dt><dd>${copied.name}</dd><dt>Text</dt><dd>Ten trees</dd></dl>`);
  });
}

further(test)(
  'what a form makes of the note of somebody else is found behind it, and not where it makes none',
  async () => {
    const found = await result(
      copies(() => true),
      {},
      undefined,
      'deep',
      'create',
    );
    assert.equal(places(found), ['POST /notes/export note'], found.outcome.reason);
    const patched = await result(
      copies((member) => member === henry),
      {},
      undefined,
      'deep',
      'create',
    );
    assert.equal(places(patched), [], patched.outcome.reason);
  },
);

test.run();
