import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { sqlError } from '../../../../workflows/checks/injection/sql-error.check.ts';
import { type Handler, html, json } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, stored } from '../harness.ts';
import { expressLike, jsonApi, phpLike, type SqlSite, sqlRuns } from './sql-sites.ts';

const test = suite('injection.sql-error');

const { result, resultOf } = sqlRuns(sqlError);

const shapes: [string, (safety: 'concatenated' | 'bound') => SqlSite, string[]][] = [
  ['pages with a stack trace', expressLike, ['GET /product/3 2', 'GET /search q']],
  ['a script with warnings', phpLike, ['GET /index.php cat', 'GET /item.php id']],
  ['an API', jsonApi, ['GET /api/products category']],
];

for (const [what, open, expected] of firstRows(shapes, 1)) {
  further(test)(`values in statements of ${what} are found where they stand in one`, async () => {
    const found = await resultOf(open('concatenated'));
    assert.equal([found.outcome.kind, places(found).toSorted()], ['found', expected], found.outcome.reason);
  });

  test(`bound values of ${what} are clean`, async () => {
    const found = await resultOf(open('bound'));
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

further(test)(
  'it is high where the message has a value that the database computed, and medium where a statement only breaks',
  async () => {
    const computed = await resultOf(jsonApi('concatenated'));
    const broken = await result(answering(messages.MySQL ?? ''));
    assert.equal([computed.findings[0]?.severity, broken.findings[0]?.severity], [Severity.HIGH, Severity.MEDIUM]);
    assert.match(computed.findings[0]?.description ?? '', /showed a value that it had computed/);
  },
);

test('statements whose errors nobody is shown are clean here', async () => {
  assert.is((await resultOf(phpLike('concatenated', 'nothing'))).outcome.kind, 'clean');
});

further(test)('the message names the engine, and the proof has the odd quote and its twin', async () => {
  const found = await resultOf(jsonApi('concatenated'));
  const [finding] = found.findings;
  assert.match(finding?.description ?? '', /^SQLite answered a quote with: .*(?:unrecognized token|syntax error)/);
  assert.match(finding?.proof?.curl ?? '', /category=tables'\\''[a-z]/);
  assert.match(stored(found), /category=tables'‹nonce›/);
  assert.match(stored(found), /category=tables''‹nonce›/);
});

/** How a quote that ends a text is answered by others than SQLite: the message that their users see. */
const messages: Record<string, string> = {
  MariaDB:
    "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version for the right syntax to use near 'x'' at line 1",
  MySQL:
    "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'x'' at line 1",
  PostgreSQL: 'Query failed: ERROR:  unterminated quoted string at or near &quot;&#039;x&#039;&quot;',
  'SQL Server': "Unclosed quotation mark after the character string 'x'.",
  Oracle: 'ORA-01756: quoted string not properly terminated',
  Access: "[Microsoft][ODBC Microsoft Access Driver] Syntax error in string in query expression 'id = 1''.",
  H2: 'Syntax error in SQL statement &quot;SELECT&quot;',
  'Hibernate (HQL)': 'org.hibernate.hql.internal.ast.QuerySyntaxException: unexpected token: x',
  'a database over PDO': 'SQLSTATE[42000]: Syntax error or access violation: 1064',
};

/** A page that answers as a database does: the value is a text between quotes, in which a doubled quote is one quote. */
const answering =
  (message: string, quote = "'"): Handler =>
  ({ path, query }) => {
    if (path === '/') return html('<a href="/list?of=lamps">Lamps</a>');
    if (path !== '/list') return undefined;
    const isEnded = (query.get('of') ?? '').replaceAll(quote + quote, '').includes(quote);
    return isEnded ? html(`<b>${message}</b>`, 500) : html('<p>Nothing</p>');
  };

for (const [engine, message] of firstRows(Object.entries(messages), 3)) {
  test(`the message of ${engine} is known`, async () => {
    const found = await result(answering(message));
    assert.equal(places(found), ['GET /list of'], found.outcome.reason);
    assert.ok(found.findings[0]?.description?.startsWith(`${engine} answered`), found.findings[0]?.description);
  });
}

further(test)('a text between double quotes is found', async () => {
  assert.equal(places(await result(answering(messages.MySQL ?? '', '"'))), ['GET /list of']);
});

/** What a bound value can be answered with, and a page that has such words anyway. */
/** Runs the statement in its address, with what a visitor sees beside the link to it. */
const statements =
  (field: string): Handler =>
  ({ path, query }) =>
    path === '/'
      ? html(
          `<form action="/query">${field}</form><a href="/query?sql=select+2+from+t">2</a><a href="/find?q=tea">t</a>`,
        )
      : html(/'(?:[^']*'[^']*')*[^']*$/.test(query.get('sql') ?? '') ? `unrecognized token: "'"` : '<td>2</td>');

further(test)('a whole statement is changed where no visitor is meant to write one, and nowhere else', async () => {
  const changed = async (field: string) => {
    const { requests } = await result(statements(field));
    return requests.some((request) => request.startsWith("GET /query?sql=select%202%20from%20t'"));
  };
  assert.ok(await changed('<input type=hidden name=sql value="select 2 from t">'));
  assert.not(await changed('<textarea name=sql>select 1 from t</textarea>'));
});

further(test)(
  'a name that stands for whole statements on one page is tried where it has another kind of value',
  async () => {
    const { requests } = await result(({ path }) =>
      path === '/'
        ? html(
            '<form action="/query"><textarea name=sql>select 1 from t</textarea></form><a href="/find?sql=tea">t</a>',
          )
        : html('<p>Tea</p>'),
    );
    assert.ok(requests.some((request) => request.startsWith("GET /find?sql=tea'")));
  },
);

const clean: Record<string, Handler> = {
  'a page that is about such messages': ({ path }) =>
    path === '/' ? html('<a href="/list?of=x">x</a>') : html(`<p>${messages.MySQL}</p>`),
  'a message for every quote, doubled or not': ({ path, query }) =>
    path === '/'
      ? html('<a href="/list?of=x">x</a>')
      : html(/['"]/.test(query.get('of') ?? '') ? (messages.PostgreSQL ?? '') : 'none'),
  'a number that cannot be converted': answering('ERROR: invalid input syntax for type integer: "7\'"'),
  'a bound full-text query that has a grammar of its own': answering('ERROR: syntax error in tsquery: "lamps\'x"'),
  'a bound JSON path': answering('ERROR: syntax error at or near "x" of jsonpath input'),
  'a plain failure': answering('Internal Server Error'),
  'an echo of the value': ({ path, query }) =>
    path === '/' ? html('<a href="/list?of=x">x</a>') : html(`near "${query.get('of')}": no results`),
  'a console in which visitors write whole statements': statements('<textarea name=sql>select 1 from t</textarea>'),
  'a search for the words of a message': ({ path, query }) =>
    path === '/'
      ? html('<a href="/list?of=ORA-01756%3A+quoted+string+not+properly+terminated">x</a>')
      : html(`<p>You searched for ${query.get('of')}</p>`),
};

for (const [what, handler] of firstRows(Object.entries(clean), 2)) {
  test(`${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

/** The forms of a page that lead to a statement by POST. */
const posting =
  (form: string): Handler =>
  ({ path, method }) =>
    path === '/' ? html(form) : method === 'POST' ? html('<p>Nothing</p>') : undefined;

further(test)('a form that is posted is sent only when it searches', async () => {
  const search = await result(
    posting('<form method=post action="/search"><input name=q><input type=hidden name=lang value=en></form>'),
  );
  assert.ok(search.requests.some((request) => request.startsWith('POST /search')));
  for (const form of [
    '<form method=post action="/contact"><input name=name><textarea name=message></textarea></form>',
    '<form method=post action="/search/subscribe"><input name=q><input type=email name=mail></form>',
    '<form method=post action="/orders"><input name=amount></form>',
    '<form method=post action="/join"><input name=query><input type=password name=p></form>',
    '<form method=post action="/news"><input name=q><button>Subscribe</button></form>',
  ]) {
    const { requests } = await result(posting(form));
    assert.equal(
      requests.filter((request) => request.startsWith('POST')),
      [],
    );
  }
});

test('a login is tried once, with a name and a password that nobody has', async () => {
  const bodies: string[] = [];
  const { requests } = await result((request) => {
    if (request.method === 'POST') bodies.push(request.body);
    return posting(
      '<form method=post action="/login"><input name=user><input type=password name=p><button>Log in</button></form>',
    )(request);
  });
  assert.is(requests.filter((request) => request === 'POST /login').length, 1);
  assert.match(bodies[0] ?? '', /^p=[a-z][a-z0-9]{9}&user='%22[a-z][a-z0-9]{9}$/);
});

test('links that do something are not sent values', async () => {
  const found = await result(({ path }) =>
    path === '/'
      ? html('<a href="/cart/remove?id=3">x</a><a href="/item?do=4">Delete</a><a href="/see?id=5">see</a>')
      : json({}),
  );
  const [removed, done, seen] = ['/cart/remove', '/item', '/see'].map((path) =>
    found.requests.filter((request) => request.includes(`${path}?`)),
  );
  assert.equal([removed?.length, done?.length, (seen?.length ?? 0) > 0], [0, 0, true]);
});

test('a page that does not answer keeps no other from being looked at, and is reported', async () => {
  const handler = answering(messages.MySQL ?? '');
  const found = await result((request) => {
    if (request.path === '/') return html('<a href="/list?of=lamps">x</a><a href="/broken?of=1">y</a>');
    if (request.path === '/broken') return { headers: { 'content-encoding': 'gzip' }, body: 'no gzip' };
    return handler(request);
  });
  assert.equal(places(found), ['GET /list of']);
  assert.match(found.outcome.reason, /at http:\/\/shop\.localhost:\d+\/broken/);
});

test('a site that takes no values has nothing to look at', async () => {
  assert.is((await result(({ path }) => (path === '/' ? html('hello') : undefined))).outcome.kind, 'not-applicable');
});

test.run();
