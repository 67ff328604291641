import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasOwnersAddress } from '../../../../workflows/checks/access/foreign-object.ts';
import { idorRead } from '../../../../workflows/checks/access/idor-read.check.ts';
import {
  everybody,
  orderJson,
  orderPage,
  ownerOf,
  type Person,
  people,
  shop,
  visitor,
} from '../../../fixtures/accounts.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { runOn, stored, type TestIdentity } from '../harness.ts';

const test = suite('access.idor-read');

const byCookie = (person: Person, name: string, role = 'user'): TestIdentity => ({
  name,
  role,
  cookies: { sid: person.session },
  checkPath: '/account',
  marker: person.name,
});
const byToken = (person: Person, name: string): TestIdentity => ({
  name,
  headers: [['Authorization', `Bearer ${person.session}`]],
  checkPath: '/account',
  marker: person.name,
});

const customers = [byCookie(people.ann, 'A'), byCookie(people.bob, 'B')];

async function result(handler: Handler, identities: TestIdentity[] = customers, allowance?: number) {
  const site = await startSite(handler);
  try {
    const options = { identities, startPaths: ['/account'], ...(allowance !== undefined && { allowance }) };
    return await runOn(site.url, idorRead, options);
  } finally {
    await site.close();
  }
}

const refused = html('<h1>No such order</h1>', 404);

/** An app whose API lists identifiers, and whose script knows what to do with them. */
const scriptedApp =
  (showOrder: (order: string, reader: Person) => ReturnType<Handler>, isInline = false): Handler =>
  (request) => {
    const { path } = request;
    const reader = visitor(request);
    const script = "const list = () => get('/api/orders'); const open = (id) => get('/api/orders/' + id);";
    if (path === '/')
      return html(`<div id="app"></div>${isInline ? `<script>${script}</script>` : '<script src="/app.js"></script>'}`);
    if (path === '/app.js') return { headers: { 'content-type': 'text/javascript' }, body: script };
    if (!reader) return json({}, 401);
    if (path === '/account') return html(`<p>Signed in as ${reader.name}</p>`);
    if (path === '/api/orders') return json({ items: reader.orders.map((id) => ({ id })) });
    const [, order] = /^\/api\/orders\/(\d+)$/.exec(path) ?? [];
    return order === undefined ? undefined : showOrder(order, reader);
  };

further(test)(
  'an object that names the reader among those whom it is shared with is no finding, and a name in its frame alone is nothing',
  async () => {
    const { ann, bob } = people;
    const names = `${ann.name}, ${bob.name}`;
    const shown = (reported: string, frame = ''): Handler =>
      shop((order, reader) => reader && html(`${frame}${orderPage(order, reader).body}${reported}`));
    assert.is((await result(shown('<p>Sent on Monday</p>'))).outcome.kind, 'found');
    assert.equal((await result(shown(`<p>Shared with: ${names}</p>`))).findings, []);
    const withFrame = shown('', `<p>Members: ${names}</p>`);
    const framed = await result((request) => {
      const answer = withFrame(request);
      return request.path === '/account' && answer
        ? { ...answer, body: `${answer.body}<p>Members: ${names}</p>` }
        : answer;
    });
    assert.is(framed.outcome.kind, 'found', framed.outcome.reason);
  },
);

test('an object is found at a route that only script in a page names', async () => {
  const found = await result(scriptedApp((order) => orderJson(order), true));
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

further(test)('an object is found at a route that only script in the last of many pages names', async () => {
  const app = scriptedApp((order) => orderJson(order), true);
  const places = Array.from({ length: 20 }, (_, index) => `/help/${'abcdefghijklmnopqrst'[index]}`);
  const found = await result((request) => {
    const place = places.indexOf(request.path);
    if (place === 19) return app({ ...request, path: '/' });
    if (place >= 0) return html(`<h1>Help</h1><script>const topic = '${'q'.repeat(place)}';</script>`);
    const links = places.map((path) => `<a href="${path}">${path.slice(6)}</a>`).join('');
    return request.path === '/' ? html(links) : app(request);
  });
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

further(test)('an object is found at a route that only script names, by an identifier that the API lists', async () => {
  const found = await result(scriptedApp((order) => orderJson(order)));
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  assert.match(found.findings[0]?.location?.url ?? '', /\/api\/orders\/\d{4}$/);
});

for (const isGuarded of [false, true])
  further(test)(
    `of objects that say the same to all at first the latest are read, ${isGuarded ? 'which only the owner may' : 'by others as well'}`,
    async () => {
      const notes: { id: number; owner: Person; text: string }[] = [people.ann, people.bob].flatMap((owner, place) => [
        { id: 11 + place, owner, text: 'Welcome to your notebook' },
        {
          id: 21 + place,
          owner,
          text: `The spare key of ${place === 0 ? 'the attic is with Vera' : 'the shed is with Olaf'}`,
        },
      ]);
      const found = await result((request) => {
        const reader = visitor(request);
        if (!reader) return request.path === '/' ? html('<h1>Notebooks</h1>') : json({}, 401);
        const own = notes.filter(({ owner }) => owner === reader);
        if (request.path === '/account')
          return html(
            `<p>Signed in as ${reader.name}</p><a href="/api/notes">All</a><a href="/api/notes/${own[0]?.id}">First</a>`,
          );
        if (request.path === '/api/notes') return json(own.map(({ id, text }) => ({ id, text })));
        const note = notes.find(({ id }) => request.path === `/api/notes/${id}`);
        if (!note || (isGuarded && note.owner !== reader && note.text !== 'Welcome to your notebook')) return undefined;
        return json({ id: note.id, text: note.text });
      });
      assert.is(found.outcome.kind, isGuarded ? 'clean' : 'found', found.outcome.reason);
    },
  );

for (const isListed of [true, false])
  further(test)(
    `a form about a thing that ${isListed ? 'pages which the reader is led to show' : 'no other page shows'} is ${isListed ? 'no object of a user' : 'one'}`,
    async () => {
      const things = ['Oak table of 1890', 'Brass lamp no. 7', 'Blue rug 2 x 3 m', 'Pine bench 140 cm'];
      const found = await result((request) => {
        const { path } = request;
        const reader = visitor(request);
        if (path === '/') return html('<a href="/things">Things</a>');
        if (path === '/things')
          return html(`<ul>${isListed ? things.map((each) => `<li>${each}</li>`).join('') : ''}</ul>`);
        if (!reader) return { status: 303, headers: { location: '/' }, body: '' };
        const own = reader === people.ann ? 1 : 2;
        if (path === '/account')
          return html(
            `<p>Signed in as ${reader.name}</p><a href="/wishes/new/${own}">Wish</a><a href="/wishes/new/${own + 2}">Wish</a>`,
          );
        const [, number] = /^\/wishes\/new\/([1-4])$/.exec(path) ?? [];
        if (number === undefined) return undefined;
        return html(
          `<h1>A new wish</h1><p>It begins with <b>${things[Number(number) - 1]}</b></p><p>Signed in as ${reader.name}</p>`,
        );
      });
      assert.is(found.outcome.kind, isListed ? 'clean' : 'found', found.outcome.reason);
    },
  );

const manyLists = async (allowance: number) => {
  const kinds = Array.from({ length: 20 }, (_, index) => `list${String.fromCharCode(97 + index)}`);
  const handler: Handler = (request) => {
    const { path } = request;
    const reader = visitor(request);
    if (path === '/') return html('<h1>Lists</h1>');
    if (!reader) return { status: 303, headers: { location: '/' }, body: '' };
    const first = reader === people.ann ? 11 : 51;
    const links = kinds.flatMap((kind) => [first, first + 1].map((id) => `<a href="/${kind}/${id}">x</a>`));
    if (path === '/account') return html(`<p>Signed in as ${reader.name}</p>${links.join('')}`);
    const [, id] = /^\/list[a-t]\/(\d\d)$/.exec(path) ?? [];
    return Number(id) === first || Number(id) === first + 1 ? html(`<p>Entry ${id}</p>`) : undefined;
  };
  return result(handler, customers, allowance);
};

further(test)(
  'of more objects than are looked at, those whose kind was are a limit of the coverage and no gap',
  async () => {
    const found = await manyLists(1_000);
    assert.is(found.outcome.kind, 'clean', found.outcome.reason);
    assert.ok(found.outcome.omitted?.every(({ code }) => code === 'alike'));
    assert.match(found.outcome.reason, '80 objects');
  },
);

further(test)('more objects are looked at where requests are left', async () => {
  const found = await manyLists(10_000);
  assert.is(found.outcome.kind, 'clean', found.outcome.reason);
  assert.not.match(found.outcome.reason, '80 objects');
});

const withoutOrders =
  (showOrder: (order: string, reader: Person) => ReturnType<Handler>): Handler =>
  (request) =>
    request.path === '/api/orders' && visitor(request) === people.bob
      ? json({ items: [] })
      : scriptedApp(showOrder)(request);

further(test)('an object of an API is found when the reader’s own list is empty', async () => {
  const found = await result(withoutOrders((order) => orderJson(order)));
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

further(test)('with an empty list, an object that only its owner is shown is clean', async () => {
  const found = await result(
    withoutOrders((order, reader) => (ownerOf(order) === reader ? orderJson(order) : json({ error: 'no' }, 404))),
  );
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

further(test)('the same app is clean when each is shown their own', async () => {
  const found = await result(
    scriptedApp((order, reader) => (ownerOf(order) === reader ? orderJson(order) : json({ error: 'no' }, 404))),
  );
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

/** Each customer is led to what is theirs by a word in a parameter. */
const named =
  (
    parameter: string,
    nameFor: (person: Person) => string,
    mayRead: (owner: Person, reader: Person) => boolean,
  ): Handler =>
  (request) => {
    const { path, query } = request;
    const reader = visitor(request);
    if (path === '/') return html('<h1>Oak</h1>');
    if (!reader) return html('<h1>Log in</h1>', 401);
    const own = `/statement?${parameter}=${encodeURIComponent(nameFor(reader))}`;
    if (path === '/account') return html(`<p>Signed in as ${reader.name}</p><a href="${own}">Statement</a>`);
    const owner = Object.values(people).find((person) => nameFor(person) === query.get(parameter));
    if (path !== '/statement' || !owner || !mayRead(owner, reader)) return html('<h1>No such statement</h1>', 404);
    const lines = ['Statement of June', `Held by the branch at ${owner.name}`, `Depot ${owner.session} of 1921`];
    return { headers: { 'content-type': 'text/plain' }, body: lines.join('\n') };
  };

const fileOf = ({ name }: Person) => `statement_${name.toLowerCase().replace(/\W+/g, '-')}.txt`;
const mailOf = ({ name }: Person) => `${name.toLowerCase().replace(/\W+/g, '.')}@oak.example`;
const wordOf = ({ name }: Person) => name.toLowerCase().replace(/\W+/g, '-');

further(test)(
  'documents of lines, named by a file or a mail address, that every customer can read are found',
  async () => {
    for (const [parameter, nameFor] of [
      ['file', fileOf],
      ['mail', mailOf],
    ] as const) {
      const found = await result(named(parameter, nameFor, () => true));
      assert.is(found.findings.length, 1, `${parameter}: ${found.outcome.reason}`);
      const guarded = await result(named(parameter, nameFor, (owner, reader) => owner === reader));
      assert.is(guarded.findings.length, 0, parameter);
    }
  },
);

further(test)('what is shown of a person who is named in a parameter may be a profile for all', async () => {
  const found = await result(named('user', wordOf, () => true));
  assert.is(found.findings.length, 0);
});

test('a page that shows any customer’s order to every customer is found', async () => {
  const found = await result(shop((order, reader) => (reader ? orderPage(order, reader) : refused)));
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
  const [finding] = found.findings;
  assert.match(finding?.location?.url ?? '', /\/orders\/\d{4}$/);
  assert.match(finding?.proof?.curl ?? '', /-H "Cookie: \$\{COOKIE_[AB]:\?\}"/);
});

further(test)('a JSON answer by a query parameter, with sessions in a header, is found', async () => {
  const handler = shop(
    (order, reader) => (reader ? orderJson(order) : json({ error: 'sign in' }, 401)),
    (order) => `/api/order?ref=${order}&view=full`,
  );
  const found = await result(handler, [byToken(people.ann, 'A'), byToken(people.bob, 'B')]);
  assert.equal([found.outcome.kind, found.findings[0]?.location?.parameter], ['found', 'ref'], found.outcome.reason);
});

for (const [what, mine, outcome] of [
  [
    'names its owner, and nothing else of anybody',
    (reader: Person) => ({ userId: everybody.indexOf(reader) + 4 }),
    'found',
  ],
  ['names nobody', () => ({}), 'clean'],
] as const)
  further(test)(`a basket that ${what} is ${outcome}`, async () => {
    const basket = (owner: Person) => json({ items: [{ name: 'Lamp', quantity: 2 }], total: 49, ...mine(owner) });
    const handler = shop(
      (order, reader) => {
        const owner = ownerOf(order);
        return reader && owner ? basket(owner) : json({ error: 'sign in' }, 401);
      },
      (order) => `/api/baskets/${order}`,
    );
    const found = await result(handler);
    assert.is(found.outcome.kind, outcome, found.outcome.reason);
  });

further(test)('nothing that is stored holds a session or the data that was read', async () => {
  const found = await result(shop((order, reader) => (reader ? orderPage(order, reader) : refused)));
  const text = stored(found);
  for (const secret of [people.ann.session, people.bob.session, people.ann.mail, people.bob.mail, 'Harbour Street'])
    assert.not.ok(text.includes(secret), secret);
});

const clean: Record<string, Handler> = {
  'orders to their owners only': shop((order, reader) =>
    reader && ownerOf(order) === reader ? orderPage(order, reader) : refused,
  ),
  'a refusal with status 200 to others': shop((order, reader) => {
    if (!reader) return refused;
    return ownerOf(order) === reader ? orderPage(order, reader) : html(`<p>Order ${order} is not yours</p>`);
  }),
  'a heading and a refusal to others': shop((order, reader) => {
    if (!reader) return refused;
    return ownerOf(order) === reader
      ? orderPage(order, reader)
      : html(`<h1>Order ${order}</h1><p>It is not yours.</p>`);
  }),
  'the reader’s own order, whatever is asked for': shop((_order, reader) =>
    reader ? orderPage(reader.orders[0], reader) : refused,
  ),
  'orders to everybody: they are public': shop((order) =>
    html(`<h1>Order ${order}</h1><dd>${order} Harbour Street</dd>`),
  ),
};

for (const [what, handler] of firstRows(Object.entries(clean), 1)) {
  test(`a site that shows ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

further(test)('documents that both customers are shown are shared, and clean', async () => {
  const found = await result((request) => {
    const inside = shop(() => undefined)(request);
    if (request.path === '/account' && inside?.status === 200)
      return html(`${String(inside.body)}<a href="/documents/31">Terms</a><a href="/documents/32">Guide</a>`);
    if (!/^\/documents\/3[12]$/.test(request.path)) return inside;
    return request.cookies.sid ? html(`<p>Member document ${request.path.slice(-2)}0417-AX</p>`) : html('no', 403);
  });
  assert.is(found.outcome.kind, 'clean');
});

/** Filters of projects: whoever is logged in reads them by the number of the project. */
const projects =
  (led: { ann: readonly string[]; bob: readonly string[] }): Handler =>
  (request) => {
    const inside = shop(() => undefined)(request);
    const links = request.cookies.sid === people.ann.session ? led.ann : led.bob;
    if (request.path === '/account' && inside?.status === 200)
      return html(`${String(inside.body)}${links.map((link) => `<a href="${link}">project</a>`).join('')}`);
    const project = request.query.get('project_id') ?? '';
    if (!/^\/(?:filters|board)$/.test(request.path)) return inside;
    const shelf = new Map([
      ['2', 'Gable 5520-KR'],
      ['3', 'Harbour 0417-AX'],
    ]).get(project);
    if (!request.cookies.sid) return html('no', 403);
    return shelf ? html(`<p>Shelf</p><p>${shelf}</p>`) : html('There is no such project', 404);
  };

further(test)(
  'a project that the other user is led to elsewhere is shared, and one that they are not led to is found',
  async () => {
    const shared = { ann: ['/filters?project_id=3'], bob: ['/filters?project_id=2', '/board?project_id=3'] };
    assert.is((await result(projects(shared))).outcome.kind, 'clean');
    const apart = { ann: ['/filters?project_id=3'], bob: ['/filters?project_id=2', '/board?project_id=2'] };
    assert.is((await result(projects(apart))).outcome.kind, 'found');
  },
);

further(test)('a catalogue for members is clean, though each is recommended something else', async () => {
  const found = await result((request) => {
    const reader = visitor(request);
    const inside = shop(() => undefined)(request);
    if (request.path === '/account' && inside?.status === 200) {
      const recommended = reader === people.ann ? [61, 62, 63] : [62, 63, 64];
      return html(`${String(inside.body)}${recommended.map((id) => `<a href="/items/${id}">item</a>`).join('')}`);
    }
    const [, id] = /^\/items\/(6\d)$/.exec(request.path) ?? [];
    if (id === undefined) return inside;
    return reader
      ? html(`<p>Brass lamp of series ${'ABCDEFG'.charAt(Number(id) % 7)}-brass</p>`)
      : html('members only', 403);
  });
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0]);
});

further(test)(
  'pages that differ in what they offer to do hold nothing of anybody, and a value in a field is found',
  async () => {
    const media =
      (shown: (file: string) => string): Handler =>
      (request) => {
        const reader = visitor(request);
        if (request.path !== '/media')
          return shop(
            () => undefined,
            (order) => `/media?file=r${order}x2nwn5`,
          )(request);
        const word = /file=(\w+)/.exec(request.target)?.[1] ?? '';
        return html(`<h1>Media</h1><p>Nothing found for it</p>${reader ? shown(word) : ''}`);
      };
    const offered = (word: string) =>
      /^r47/.test(word)
        ? '<button type="submit">Upload version 2</button><input type="submit" value="Restore state 1">'
        : '';
    assert.equal((await result(media(offered))).findings, []);
    const held = await result(
      media((word) => `<button>Save it</button><input name="note" value="Note of ${word.slice(1, 5)}-AX, page 2">`),
    );
    assert.is(held.findings.length, 1, held.outcome.reason);
  },
);

/** Members see themselves in their account, and each other in profiles that only a search leads to. */
const community = (more: (reader: Person) => string, profile: (of: Person) => string): Handler => {
  const numbers = new Map([people.ann, people.bob].map((person, index) => [String(41 + index), person]));
  const numberOf = (person: Person) => [...numbers].find(([, each]) => each === person)?.[0] ?? '';
  return (request) => {
    const { path } = request;
    const reader = visitor(request);
    if (path === '/') return html('<a href="/account">Account</a>');
    if (!reader) return html('members only', 403);
    if (path === '/account')
      return html(
        `<p>Signed in as ${reader.name}</p><a href="/members/${numberOf(reader)}">My profile</a>${more(reader)}`,
      );
    if (path === '/members' || path === '/members/') return html(more(reader));
    const shown = numbers.get(/^\/members\/(\d+)$/.exec(path)?.[1] ?? '');
    return shown && html(profile(shown));
  };
};
const presented = ({ name }: Person) =>
  `<h1>${name}</h1><p>Joined in spring 2019, plays chess in Westport</p><p>${name} posted 812 times</p>`;

further(test)('profiles by which members know each other are clean', async () => {
  const found = await result(community(() => '', presented));
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

further(test)('profiles that hold the mail address of their owner are found', async () => {
  const found = await result(
    community(
      ({ mail }) => `<p>${mail}</p>`,
      (person) => `${presented(person)}<p>${person.mail}</p>`,
    ),
  );
  assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
});

test('a mail address is the owner’s where it is of the name by which they log in', () => {
  const views = { ownersOther: [] } as unknown as Parameters<typeof hasOwnersAddress>[1];
  const isOf = (userName: string) => hasOwnersAddress(['kim.731@oak.example'], views, { userName });
  assert.equal([isOf('kim.731'), isOf('Kim.731@oak.example'), isOf('kim'), isOf('kim.73')], [true, true, false, false]);
});

further(test)(
  'what says only whose it is, what is shown for any number, and a link for sharing are clean',
  async () => {
    const shown = (at: string, show: (order: string, reader: Person) => string): Promise<{ findings: unknown[] }> => {
      const inShop = shop(
        () => undefined,
        (order) => at.replace('{}', order),
      );
      return result((request) => {
        const reader = visitor(request);
        const [value] = request.query.values();
        const isThere = at.includes('?nr') || ownerOf(value?.slice(-4) ?? '') !== undefined;
        if (request.path !== '/list.view') return inShop(request);
        return reader && value && isThere ? html(show(value, reader)) : html('<p>Nothing</p>', 404);
      });
    };
    const place = '/list.view?ref={}';
    assert.is((await shown(place, (order) => `<p>Sent to ${order.slice(2)} Mill Lane</p>`)).findings.length, 1);
    assert.equal((await shown(place, (order) => `<p>Reviews of ${ownerOf(order)?.name}</p>`)).findings, []);
    const sorted = (order: string, { mail }: Person) =>
      `<p>By ${['price', 'dates', 'names'][Number(order) % 3]}</p><p>${mail}</p>`;
    assert.equal((await shown('/list.view?nr={}', sorted)).findings, []);
    const keyed = (order: string) => `<p>Wishes: ${order.slice(-4, -2)} brass lamps</p>`;
    assert.equal((await shown('/list.view?share=8f3a98c1d5e7b42609d8{}', keyed)).findings, []);
  },
);

test('objects that a list shows to all users are clean, though no page leads to the list', async () => {
  const found = await result((request) => {
    const reader = visitor(request);
    const [, order] = /^\/orders\/(\d+)$/.exec(request.path) ?? [];
    if (request.path === '/orders' && reader)
      return html(
        [people.ann, people.bob]
          .flatMap(({ orders }) => orders.map((id) => `<a href="/orders/${id}">${id}</a>`))
          .join(''),
      );
    return order ? (reader ? orderPage(order, reader) : refused) : shop(() => undefined)(request);
  });
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

further(test)('one identity, or one that administrates, cannot show it, and the check says so', async () => {
  const vulnerable = shop((order, reader) => (reader ? orderPage(order, reader) : refused));
  const alone = await result(vulnerable, [byCookie(people.ann, 'A')]);
  const withAdmin = await result(vulnerable, [byCookie(people.ann, 'A'), byCookie(people.bob, 'boss', 'admin')]);
  assert.equal([alone.outcome.kind, withAdmin.outcome.kind], ['not-run', 'not-run']);
});

test.run();
