import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { escapeHtml, type Handler, html, json, type Request, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, places, runOn, stored } from '../harness.ts';
import { expressLike, jsonApi, phpLike, type SqlSite, sqlRuns } from './sql-sites.ts';

const test = suite('injection.sql-boolean');

const { result, resultOf } = sqlRuns(sqlBoolean);

const shapes: [string, (safety: 'concatenated' | 'bound') => SqlSite, string[]][] = [
  ['pages with tokens and times', expressLike, ['GET /product/3 2', 'GET /search q']],
  ['a script without warnings', (safety) => phpLike(safety, 'nothing'), ['GET /index.php cat', 'GET /item.php id']],
  ['an API without messages', (safety) => jsonApi(safety, 'nothing'), ['GET /api/products category']],
];

for (const [what, open, expected] of firstRows(shapes, 1)) {
  further(test)(`values in statements of ${what} are found where they stand in one`, async () => {
    const found = await resultOf(open('concatenated'));
    assert.equal([found.outcome.kind, places(found).toSorted()], ['found', expected], found.outcome.reason);
  });

  further(test)(`bound values of ${what} are clean`, async () => {
    const found = await resultOf(open('bound'));
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

/** A page that shows what its parameter finds. */
const finding =
  (find: (value: string, request: Request) => string, sample = 'lamp'): Handler =>
  (request) => {
    if (request.path === '/') return html(`<a href="/list?of=${sample}">x</a>`);
    return request.path === '/list' ? html(find(request.query.get('of') ?? '', request)) : undefined;
  };

const names = ['Oak table', 'Side table', 'Desk lamp', 'Paper lamp', 'Reading chair'];
const list = (found: readonly string[]) => found.map((name) => `<li>${name}</li>`).join('');
const wordsOf = (given: string): string[] => [...(given.toLowerCase().match(/[a-z0-9]+/g) ?? [])];
const chance = (share: number) => names.filter(() => Math.random() < share);
let count = 0;

test('a text of MySQL in parentheses is found where blanks are refused, and not where words alone are looked up', async () => {
  const inParentheses = (value: string): string => {
    const [, first, second] = /^lamp'\)&&STRCMP\('([ab])\d+','([ab])\d+'\)=1&&\('z'<='z$/.exec(value) ?? [];
    // Texts are joined by nothing that has no blanks: what says "or" makes a number of them, which all names are equal to.
    if (value === "lamp'||'") return list(names);
    return value === 'lamp' || (first ?? '') > (second ?? '') ? '<li>Desk lamp</li>' : '<p>Nothing</p>';
  };
  const found = await result(finding(inParentheses));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /list of']], found.outcome.reason);
  const words = await result(finding((value) => (value === 'lamp' ? '<li>Desk lamp</li>' : '<p>Nothing</p>')));
  assert.is(words.outcome.kind, 'clean');
});

const clean: Record<string, Handler> = {
  'a search for any of the words': finding((value) =>
    list(names.filter((name) => wordsOf(name).some((word) => wordsOf(value).includes(word)))),
  ),
  'a search for all of the words': finding((value) =>
    list(names.filter((name) => wordsOf(value).every((word) => wordsOf(name).includes(word)))),
  ),
  'a search for the first word': finding((value) =>
    list(names.filter((name) => wordsOf(name).includes(wordsOf(value)[0] ?? ''))),
  ),
  'a page of things by chance': finding(() => list(chance(0.5))),
  'a page that shows something else each time': finding(() => list(names.slice(count++ % 3))),
  'a page that repeats the value': finding(
    (value) => `<h1>${escapeHtml(value)}</h1><input value="${escapeHtml(value)}">`,
  ),
  'a number that is cut at the first letter': finding((value) => list(names.slice(0, Number.parseInt(value, 10))), '2'),
  'a number that is calculated, but not by a database': finding(
    (value) =>
      list(
        /^[\d+-]+$/.test(value)
          ? names.slice(
              0,
              value.split('-').reduce((sum, each) => sum - Number(each), 2 * Number.parseInt(value, 10)),
            )
          : [],
      ),
    '2',
  ),
  'a filter that refuses comparisons': finding((value) =>
    /between|and/i.test(value) ? 'refused' : list(names.filter((name) => name.includes(value))),
  ),
  'a filter that refuses them now and then': finding((value) =>
    /between/i.test(value) && Math.random() < 0.5 ? 'refused' : list(names),
  ),
  'a page that does not depend on the value': finding(() => list(names)),
};

for (const [what, handler] of firstRows(Object.entries(clean), 3)) {
  test(`${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test('an XPath or an expression that is evaluated is not called SQL injection', async () => {
  const evaluating = finding((value) => {
    // An interpreter that knows "and", "<" and arithmetic, as XPath and expression languages do.
    const [first = '', ...conditions] = value.split(/ and /i);
    const truth = conditions.every((each) => /^\s*\(?\s*\d+\s*<\s*\d+/.test(each));
    return truth ? list(names.slice(0, Number.parseInt(first, 10))) : 'error';
  }, '2');
  assert.is((await result(evaluating)).outcome.kind, 'clean');
});

further(test)('comparisons come without words that widen a condition, and spaces never as a plus sign', async () => {
  const found = await resultOf(expressLike('concatenated'));
  const probes = found.requests
    .map((request) => decodeURIComponent(request))
    .filter((request) => /betwe/i.test(request));
  assert.ok(probes.length > 10);
  for (const probe of probes) assert.not.match(probe, /\bor\b|\|\||--|;|\bunion\b|\+/i);
});

further(test)('the proof has false and true comparisons in chance order, and a misspelt one that fails', async () => {
  const found = await resultOf(jsonApi('concatenated', 'nothing'));
  const [proof] = found.findings.map((finding) => finding.proof);
  assert.equal([proof?.trials, proof?.steps?.length, proof?.control?.length], [2, 5, 2]);
  assert.match(stored(found), /BETWEEN%20'a‹(int[1-4])›'%20AND%20'c‹\1›/);
  assert.match(stored(found), /BETWEN%20/);
  assert.match(stored(found), /"expected":"\\"total\\":2"/);
});

test('an input that shows nothing of its own costs few requests', async () => {
  const found = await result(finding(() => list(names)));
  assert.ok(found.requests.filter((request) => /\?of=[^&]*$/.test(request)).length <= 6, String(found.requests));
});

/** The site's own value is a part of the statement, with a text in it; errors all look the same. */
const ofCall = (call: (value: string) => string): Handler =>
  finding((value) => {
    try {
      new DatabaseSync(':memory:').prepare(`SELECT ${call(value)} AS rows`).all();
      return list(names.slice(0, 2));
    } catch {
      return '<p>Error processing request.</p>';
    }
  }, encodeURIComponent("upper('lamp')"));

further(test)('a value that is a call with a text in it is found, and none of a list of calls is', async () => {
  const called = await result(ofCall((value) => value));
  assert.equal(places(called), ['GET /list of'], called.outcome.reason);
  const listed = await result(
    ofCall((value) => {
      if (value !== "upper('lamp')") throw new Error('unknown call');
      return value;
    }),
  );
  assert.equal([listed.outcome.kind, places(listed)], ['clean', []], listed.outcome.reason);
});

/** A search form that repeats what was looked for, over names of which none has one of the usual first texts. */
function boatSearch(find: (database: DatabaseSync, value: string) => unknown[]): Handler {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE TABLE boats (name TEXT); INSERT INTO boats VALUES ('Heron'), ('Kestrel'), ('Green Osprey')");
  const rows = (value: string) => {
    try {
      return list((find(database, value) as { name: string }[]).map(({ name }) => name));
    } catch {
      return '';
    }
  };
  return ({ path, query }) => {
    const value = query.get('q') ?? '';
    const form = `<form action="/boats"><input name="q" value="${escapeHtml(value)}"><button>Search</button></form>`;
    return path === '/' || path === '/boats' ? html(`${form}<ul>${path === '/' ? '' : rows(value)}</ul>`) : undefined;
  };
}

for (const [how, statement] of Object.entries({
  'parts of names': (value: string) => `SELECT name FROM boats WHERE name LIKE '%${value}%'`,
  'whole names': (value: string) => `SELECT name FROM boats WHERE name = '${value}' OR '${value}' = ''`,
}))
  test(`a search for ${how} is tried with what it lists where the usual texts find nothing`, async () => {
    const found = await result(boatSearch((database, value) => database.prepare(statement(value)).all()));
    assert.equal(places(found), ['GET /boats q'], found.outcome.reason);
  });

further(test)('a search that binds what it lists is clean', async () => {
  const bound = "SELECT name FROM boats WHERE name LIKE '%' || ? || '%'";
  const found = await result(boatSearch((database, value) => database.prepare(bound).all(value)));
  assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
});

/** Visitors leave their name and address; the answer repeats the name. */
function visits(safety: 'concatenated' | 'bound'): Handler {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE visits (name TEXT, email TEXT)');
  const keep = (name: string, email: string) =>
    safety === 'bound'
      ? database.prepare('INSERT INTO visits VALUES (?, ?)').run(name, email)
      : database.exec(`INSERT INTO visits VALUES ('${name}', '${email}')`);
  return ({ method, path, body }) => {
    const form = new URLSearchParams(body);
    if (path !== '/' && path !== '/visit') return undefined;
    if (method !== 'POST')
      return html(
        '<form method="post" action="/visit"><input name="name"><input name="email"><button>Apply</button></form>',
      );
    try {
      keep(form.get('name') ?? '', form.get('email') ?? '');
      return html(`<p>Thank you, ${escapeHtml(form.get('name') ?? '')}, and see you soon.</p>`);
    } catch {
      return { status: 500, body: '<p>Something is wrong.</p>' };
    }
  };
}

further(test)(
  'a form that visitors fill in with their address is tried on a test system, and nowhere else',
  async () => {
    const resultIn = async (safety: 'concatenated' | 'bound', writes: 'create' | 'reversible') => {
      const site = await startSite(visits(safety));
      try {
        const found = await runOn(site.url, sqlBoolean, { depth: 'deep', writes });
        return [found.outcome.kind, places(found), site.requests.some((request) => request.startsWith('POST'))];
      } finally {
        await site.close();
      }
    };
    assert.equal(await resultIn('concatenated', 'create'), ['found', ['POST /visit name', 'POST /visit email'], true]);
    assert.equal(await resultIn('bound', 'create'), ['clean', [], true]);
    assert.equal((await resultIn('concatenated', 'reversible'))[2], false);
  },
);

/** Says no more than whether there is such a thing: the one answer lies within the other, or one of them is no more than its absence. */
function stockOf(isThere: (database: DatabaseSync, value: string) => boolean, [yes, no]: readonly [string, string]) {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE TABLE things (name TEXT); INSERT INTO things VALUES ('lamp'), ('desk')");
  return finding((value) => {
    try {
      return `<h1>Stock</h1><p>${isThere(database, value) ? yes : no}</p><p>Back to all things</p>`;
    } catch {
      return `<h1>Stock</h1><p>${no}</p><p>Back to all things</p>`;
    }
  });
}
const joined = (database: DatabaseSync, value: string) =>
  database.prepare(`SELECT name FROM things WHERE (name = '${value}')`).all().length > 0;
const bound = (database: DatabaseSync, value: string) =>
  database.prepare('SELECT name FROM things WHERE name = ?').all(value).length > 0;

for (const answers of [
  ['in stock', 'not in stock'],
  ['', 'There is no such thing.'],
] as const)
  further(test)(
    `a statement that decides between "${answers[0]}" and "${answers[1]}" is found, and a bound one is clean`,
    async () => {
      assert.equal(places(await result(stockOf(joined, answers))), ['GET /list of']);
      assert.is((await result(stockOf(bound, answers))).outcome.kind, 'clean');
      const byChance = stockOf((database, value) => bound(database, value) && Math.random() < 0.7, answers);
      assert.is((await result(byChance)).outcome.kind, 'clean');
    },
  );

further(test)('a search form without a value is tried with texts that most lists have', async () => {
  const site = expressLike('concatenated');
  const found = await resultOf({
    ...site,
    handler: (request) =>
      request.path === '/' ? html('<form action="/search"><input name=q></form>') : site.handler(request),
  });
  assert.equal(places(found), ['GET /search q']);
});

further(test)('a statement behind a filter of words and spaces is found', async () => {
  const site = expressLike('concatenated');
  const found = await resultOf({
    ...site,
    handler: (request) => {
      const { query } = request;
      for (const [name, value] of query) query.set(name, value.replace(/union|select|or|and|--|\s/gi, ''));
      return site.handler(request);
    },
  });
  assert.ok(places(found).includes('GET /search q'), String(places(found)));
});

for (const [safety, expected] of [
  ['concatenated', true],
  ['bound', false],
] as const)
  further(test)(
    `a ${safety} value of a site that refuses spaces and comments is ${expected ? 'found' : 'clean'}`,
    async () => {
      const site = expressLike(safety);
      const found = await resultOf({
        ...site,
        handler: (request) =>
          [...request.query.values()].some((value) => /\s|--|\/\*|#/.test(value))
            ? html('<p>Bad characters!</p>')
            : site.handler(request),
      });
      assert.is(places(found).includes('GET /search q'), expected, String(places(found)));
    },
  );

further(test)('a search form that is posted is found', async () => {
  const site = expressLike('concatenated');
  const form =
    '<form method=post action="/search"><input name=q value=lamp><input type=hidden name=page value=1></form>';
  const found = await resultOf({
    ...site,
    handler: (request) => {
      if (request.path === '/') return html(form);
      return request.method === 'POST'
        ? site.handler({ ...request, query: new URLSearchParams(request.body) })
        : undefined;
    },
  });
  assert.equal(places(found), ['POST /search q']);
});

/** Says no more of a statement than whether it failed. */
const silent = (find: (value: string) => void): Handler =>
  finding((value) => {
    try {
      find(value);
      return '<p>Thank you, your request is with us.</p>';
    } catch {
      return '<p>Something went wrong.</p>';
    }
  });

further(test)('a statement of which a page shows only whether it failed is found', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE TABLE lamps (name TEXT); INSERT INTO lamps VALUES ('lamp')");
  const concatenated = await result(
    silent((value) => database.prepare(`SELECT * FROM lamps WHERE name = '${value}'`).all()),
  );
  assert.equal(places(concatenated), ['GET /list of']);
  const bound = await result(silent((value) => database.prepare('SELECT * FROM lamps WHERE name = ?').all(value)));
  assert.equal(places(bound), []);
  database.close();
});

further(test)('a page that fails at quotes, words or signs without a database is clean', async () => {
  const refusals = [/['"]/, /['"].*case/i, /['"].*\d{19}/, /['"].*(\d+)>\1\d/];
  for (const refused of refusals) {
    const found = await result(
      silent((value) => {
        if (refused.test(value)) throw new Error('refused');
      }),
    );
    assert.equal(places(found), [], String(refused));
  }
});

further(test)(
  'a program that ends the connection where it fails is found by what it answers, and clean where values are bound',
  async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(
      "CREATE TABLE lamps (id INTEGER, name TEXT); INSERT INTO lamps VALUES (1, 'Desk lamp'), (2, 'Globe')",
    );
    const named =
      (rows: (value: string) => Record<string, unknown>[]): Handler =>
      ({ path, query }) => {
        if (path === '/') return html('<a href="/lamp?id=1">Desk lamp</a>');
        if (path !== '/lamp') return undefined;
        try {
          return html(`<h1>${rows(query.get('id') ?? '')[0]?.name ?? 'Nothing'}</h1>`);
        } catch {
          return { closes: true };
        }
      };
    const concatenated = await result(
      named((value) => database.prepare(`SELECT * FROM lamps WHERE id = ${value}`).all()),
    );
    assert.equal(places(concatenated), ['GET /lamp id'], concatenated.outcome.reason);
    const bound = await result(
      named((value) => database.prepare('SELECT * FROM lamps WHERE id = ?').all(BigInt(value))),
    );
    assert.equal([places(bound), bound.outcome.kind], [[], 'clean'], bound.outcome.reason);
    database.close();
  },
);

/** A list that is filtered by a column, an operator and a value, which is bound. */
const filtered = (how: 'concatenated' | 'listed', shown: string): SqlSite => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE tiles (name TEXT, price INTEGER)');
  for (const [index, name] of names.entries())
    database.prepare('INSERT INTO tiles VALUES (?, ?)').run(name, 4 + 5 * index);
  const rows = (operator: string, value: number) => {
    if (how === 'listed' && !['<', '>', '='].includes(operator)) return undefined;
    try {
      return database.prepare(`SELECT name FROM tiles WHERE price ${operator} ?`).all(value);
    } catch {
      return undefined;
    }
  };
  return {
    handler: ({ path, query }) => {
      if (path === '/') return html(`<a href="/tiles?op=${encodeURIComponent(shown)}&amp;value=10">Tiles</a>`);
      if (path !== '/tiles') return undefined;
      const found = rows(query.get('op') ?? '=', Number(query.get('value')));
      return found ? json({ found }) : json({ detail: 'cannot filter so' }, 422);
    },
    close: () => database.close(),
  };
};

for (const [what, operator] of [
  ['that finds something', '<'],
  ['that finds nothing', '='],
] as const)
  test(`the operator of a filter ${what} is found where it stands in the statement, and not where it is one of a list`, async () => {
    const found = await resultOf(filtered('concatenated', operator));
    assert.equal([found.outcome.kind, places(found)], ['found', ['GET /tiles op']], found.outcome.reason);
    const listed = await resultOf(filtered('listed', operator));
    assert.equal([listed.outcome.kind, places(listed)], ['clean', []], listed.outcome.reason);
  });

test('a site that takes no values has nothing to look at', async () => {
  assert.is((await result(() => json({}))).outcome.kind, 'not-applicable');
});

for (const [how, outcome] of [
  ['concatenated', 'found'],
  ['bound', 'clean'],
] as const)
  test(`people who are looked for by their whole name are asked for by that of a test identity, and ${how} is ${outcome}`, async () => {
    const database = new DatabaseSync(':memory:');
    database.exec("CREATE TABLE users (login TEXT, city TEXT); INSERT INTO users VALUES ('zo.ellis', 'Westport')");
    const found = (login: string): string => {
      const start = 'SELECT city FROM users WHERE login=';
      try {
        const row =
          how === 'bound' ? database.prepare(`${start}?`).get(login) : database.prepare(`${start}'${login}'`).get();
        return row ? `<p>Lives in ${row['city']}</p>` : '<p>Nobody</p>';
      } catch {
        return '<p>Nobody</p>';
      }
    };
    const site = await startSite(({ path, method, body, query }) => {
      if (path === '/login' && method === 'POST')
        return {
          status: 302,
          headers: { location: '/', ...(/zo\.ellis/.test(String(body)) && { 'set-cookie': 'sid=1' }) },
        };
      if (path === '/login')
        return html('<form method="post"><input name="user"><input type="password" name="pass"></form>');
      if (path === '/')
        return html('<p>Signed in as zo</p><form action="/people"><input name="login"><button>Search</button></form>');
      return path === '/people' ? html(found(query.get('login') ?? '')) : undefined;
    });
    const login = { path: '/login', username: 'zo.ellis', password: 'reed-41-lamp' };
    const audit = await openAudit(site.url, {
      identities: [{ name: 'A', checkPath: '/', marker: 'Signed in as zo', login }],
    });
    try {
      const looked = await check(audit, sqlBoolean);
      assert.equal(
        [looked.outcome.kind, looked.findings.length],
        [outcome, outcome === 'found' ? 1 : 0],
        looked.outcome.reason,
      );
    } finally {
      await audit.close();
      await site.close();
      database.close();
    }
  });

for (const safety of ['concatenated', 'bound'] as const)
  test(`headers in ${safety} values that show by the status alone, one in front of all pages, are ${safety === 'bound' ? 'clean' : 'two findings'}`, async () => {
    const database = new DatabaseSync(':memory:');
    database.exec("CREATE TABLE blocked (sign TEXT); INSERT INTO blocked VALUES ('203.0.113.9'), ('BadBot')");
    const isBlocked = (sign: unknown): boolean =>
      (safety === 'bound'
        ? database.prepare('SELECT 1 FROM blocked WHERE sign = ?').get(String(sign))
        : database.prepare(`SELECT 1 FROM blocked WHERE sign = '${sign}'`).get()) !== undefined;
    const site = await startSite(({ path, headers }) => {
      try {
        if (isBlocked(headers['x-forwarded-for'] ?? '')) return { status: 404, body: 'No' };
        if (path === '/posts')
          return isBlocked(headers['user-agent']) ? { status: 404, body: 'No' } : html('<h1>Posts</h1>');
      } catch {
        return { status: 500, body: 'Error' };
      }
      if (path === '/') return html('<h1>Home</h1><a href="/posts">Posts</a> <a href="/team">Team</a>');
      return path === '/team' ? html('<h1>Team</h1>') : undefined;
    });
    const audit = await openAudit(site.url);
    try {
      const { findings, outcome } = await check(audit, sqlBoolean);
      const found = findings.map(({ location }) => location?.parameter).toSorted();
      assert.equal(found, safety === 'bound' ? [] : ['User-Agent', 'X-Forwarded-For'], outcome.reason);
    } finally {
      await Promise.all([audit.close(), site.close()]);
      database.close();
    }
  });

/** A form that changes the words of an entry, or shows what it finds of it. */
function numbered(stores: boolean, sent: string[]): Handler {
  const entries = new DatabaseSync(':memory:');
  entries.exec("CREATE TABLE entries (id INTEGER, words TEXT); INSERT INTO entries VALUES (5, 'Oak'), (6, 'Elm')");
  return ({ path, method, body }) => {
    if (path !== '/' && path !== '/entry') return undefined;
    const form =
      '<form method=post action=/entry><input name=entry value=5><input name=words><button>Go</button></form>';
    const fields = new URLSearchParams(body);
    const id = fields.get('entry') ?? '';
    sent.push(id);
    try {
      if (method === 'POST' && stores)
        entries.prepare(`UPDATE entries SET words = ? WHERE id = ${id}`).run(fields.get('words') ?? '');
      const rows =
        method === 'POST' && !stores
          ? entries.prepare(`SELECT words FROM entries WHERE id = ${id}`).all()
          : entries.prepare('SELECT words FROM entries').all();
      return html(`${form}<ul>${rows.map(({ words }) => `<li>${escapeHtml(String(words))}</li>`).join('')}</ul>`);
    } catch {
      return html('', 500);
    }
  };
}

further(test)(
  'the number of an entry that a form changes is given no condition, and one that it shows is',
  async () => {
    for (const stores of [true, false]) {
      const sent: string[] = [];
      const site = await startSite(numbered(stores, sent));
      const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
      try {
        const found = await check(audit, sqlBoolean);
        const conditions = sent.filter((body) => /\b(?:AND|CASE|SELECT)\b/i.test(body));
        assert.is(conditions.length > 0, !stores, conditions.join());
        assert.equal(places(found), stores ? [] : ['POST /entry entry'], found.outcome.reason);
      } finally {
        await audit.close();
        await site.close();
      }
    }
  },
);

/** Asks for a name first, and says nothing of what cannot be parsed. */
function naming(isBound: boolean): Handler {
  const members = new DatabaseSync(':memory:');
  members.exec("CREATE TABLE members (nick TEXT); INSERT INTO members VALUES ('wanda'), ('piet')");
  const isMember = (nick: string) => {
    try {
      return isBound
        ? members.prepare('SELECT 1 FROM members WHERE nick = ?').get(nick)
        : members.prepare(`SELECT 1 FROM members WHERE nick = '${nick}'`).get();
    } catch {
      return undefined;
    }
  };
  return ({ path, method, body }) => {
    if (path === '/') return html('<form method=post action=/who><input name=nick><button>Continue</button></form>');
    if (path !== '/who' || method !== 'POST') return undefined;
    return html(
      isMember(new URLSearchParams(body).get('nick') ?? '')
        ? '<form method=post action=/enter><input type=password name=word><button>Log in</button></form>'
        : '<p>Nobody is called like that.</p>',
    );
  };
}

further(test)(
  'the first step of a login, which asks for a name that nobody knows, is tried with a condition that holds',
  async () => {
    for (const isBound of [false, true]) {
      const site = await startSite(naming(isBound));
      const audit = await openAudit(site.url, { depth: 'deep', writes: 'create' });
      try {
        assert.equal(places(await check(audit, sqlBoolean)), isBound ? [] : ['POST /who nick']);
      } finally {
        await audit.close();
        await site.close();
      }
    }
  },
);

test.run();
