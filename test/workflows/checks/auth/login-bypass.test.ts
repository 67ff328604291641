import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { defaultCredentials } from '../../../../workflows/checks/auth/default-credentials.check.ts';
import { directoryLoginBypass } from '../../../../workflows/checks/auth/directory-login-bypass.check.ts';
import { looseLogin } from '../../../../workflows/checks/auth/loose-login.check.ts';
import { nosqlLoginBypass } from '../../../../workflows/checks/auth/nosql-login-bypass.check.ts';
import { shownCredentials } from '../../../../workflows/checks/auth/shown-credentials.check.ts';
import { sqlLoginBypass } from '../../../../workflows/checks/auth/sql-login-bypass.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import {
  bound,
  inDocuments,
  inSmallStore,
  inXml,
  loosely,
  only,
  rows,
  text,
} from '../../../scorecard/sites/login-judges.ts';
import { type Judge, type LoginSite, startLogin } from '../../../scorecard/sites/login-sites.ts';
import { firstOfKinds, firstRows, further } from '../../../support/further.ts';
import { check, openAudit, runOn } from '../harness.ts';

const test = suite('ways around a login');

type Site = [what: string, subject: Check, site: LoginSite];

/** A statement of MySQL, in which a backslash takes the sign behind it and "#" begins a comment, as SQLite reads it. */
const asMySql = (statement: string): string =>
  statement.replace(/'((?:\\.|[^'\\])*)'|#.*$/gs, (_, literal?: string) =>
    literal === undefined ? '' : `'${literal.replace(/\\(.)/gs, '$1').replaceAll("'", "''")}'`,
  );

const digestOf = (password: unknown): string => createHash('md5').update(text(password)).digest('hex');

const vulnerable: Site[] = [
  [
    'SQL in the name, one row is demanded',
    sqlLoginBypass,
    {
      judge: ({ name, password }) => only(rows(`SELECT * FROM users WHERE name='${name}' AND password='${password}'`)),
    },
  ],
  [
    'SQL in the password in parentheses, the answer greets',
    sqlLoginBypass,
    {
      style: 'page',
      judge: ({ name, password }) =>
        /^\w+$/.test(text(name))
          ? rows(`SELECT * FROM users WHERE (name='${name}') AND (password='${password}')`)[0]?.name
          : undefined,
    },
  ],
  [
    'SQL in JSON, the answer is a token',
    sqlLoginBypass,
    {
      style: 'token',
      judge: ({ name, password }) =>
        rows(`SELECT * FROM users WHERE lower(name)=lower('${name}') AND password='${password}'`)[0]?.name,
    },
  ],
  [
    'SQL in a login by GET',
    sqlLoginBypass,
    {
      method: 'get',
      judge: ({ name, password }) =>
        rows(`SELECT * FROM users WHERE name='${name}' AND password='${password}'`)[0]?.name,
    },
  ],
  [
    'SQL where a filter takes no spaces, no "or", no comments and no "="',
    sqlLoginBypass,
    {
      judge: ({ name, password }) =>
        /\bor\b|\band\b|union|--|=| /i.test(`${text(name)} ${text(password)}`.replace(' ', ''))
          ? undefined
          : rows(`SELECT * FROM users WHERE name='${name}' AND password='${password}'`)[0]?.name,
    },
  ],
  [
    'SQL where a filter takes no "or", no usual name and no comment to the end of the line, and a digest of the password is compared',
    sqlLoginBypass,
    {
      judge: ({ name, password }) =>
        /or|and|--|#|union|;|admin/.test(text(name))
          ? undefined
          : only(rows(`SELECT * FROM users WHERE name='${name}' AND password='${digestOf(password)}'`)),
    },
  ],
  [
    'SQL where a filter takes no comment at all, and a digest of the password is compared',
    sqlLoginBypass,
    {
      judge: ({ name, password }) =>
        /--|#|\/\*|=| /.test(text(name))
          ? undefined
          : rows(`SELECT * FROM users WHERE name='${name}' AND password='${digestOf(password)}'`)[0]?.name,
    },
  ],
  [
    'SQL where a filter takes quotes out, and backslashes stay',
    sqlLoginBypass,
    {
      judge: ({ name, password }) => {
        const [one, other] = [name, password].map((value) => text(value).replace(/['"]/g, ''));
        return rows(asMySql(`SELECT * FROM users WHERE name='${one}' AND password='${other}'`))[0]?.name;
      },
    },
  ],
  ['NoSQL operators in fields', nosqlLoginBypass, { judge: inDocuments }],
  ['NoSQL operators in JSON', nosqlLoginBypass, { judge: inDocuments, style: 'token' }],
  ['NoSQL operators in a store that knows few', nosqlLoginBypass, { judge: inSmallStore }],
  [
    'NoSQL operators in JSON, for a page that refused before',
    nosqlLoginBypass,
    { judge: inDocuments, style: 'silent' },
  ],
  [
    'NoSQL operators in the password alone, of an account that the site names',
    nosqlLoginBypass,
    {
      front: '<p>Ask the office (login ina) for a berth.</p>',
      judge: (fields, request) => (fields.name === 'ina' ? inDocuments(fields, request) : undefined),
    },
  ],
  ['XPath', directoryLoginBypass, { judge: inXml }],
  [
    'a list as the password',
    looseLogin,
    {
      style: 'page',
      // strcmp of PHP gives null for a list, which is 0.
      judge: ({ password }) => (typeof password !== 'string' || password === 'v7-Boje-44' ? 'ina' : undefined),
    },
  ],
  [
    'a digest that looks like zero',
    looseLogin,
    {
      judge: ({ password }) =>
        loosely(createHash('md5').update(text(password)).digest('hex'), '0e462097431906509019562988736854')
          ? 'admin'
          : undefined,
    },
  ],
  [
    'a digest that looks like zero, of one account',
    looseLogin,
    {
      judge: ({ name, password }) =>
        name === 'admin' &&
        loosely(createHash('md5').update(text(password)).digest('hex'), '0e462097431906509019562988736854')
          ? 'admin'
          : undefined,
    },
  ],
  [
    'a list as the password, of an account that the page of the login names',
    looseLogin,
    {
      note: '<p>Only for the harbourmaster.</p>',
      judge: ({ name, password }) =>
        name === 'harbourmaster' && (typeof password !== 'string' || password === 'v7-Boje-44') ? 'ina' : undefined,
    },
  ],
  [
    'any JSON that holds',
    looseLogin,
    {
      style: 'token',
      judge: ({ name, password }) =>
        name === 'admin' && (password === true || password === 'k3') ? 'admin' : undefined,
    },
  ],
  [
    'any JSON that holds, in a session that everybody is given',
    looseLogin,
    {
      style: 'next',
      judge: ({ name, password }) =>
        name === 'admin' && (password === true || password === 'k3') ? 'admin' : undefined,
    },
  ],
  [
    'an account in a comment',
    shownCredentials,
    { judge: bound, note: '<!-- TODO: take the test account out (ina / v7-Boje-44) -->' },
  ],
  [
    'an account in a comment, of a site whose menu always offers to log out',
    shownCredentials,
    {
      judge: bound,
      menu: '<a href=/form>Log in</a> <a href=/logout>Log out</a>',
      note: '<!-- test account: ina / v7-Boje-44 -->',
    },
  ],
  [
    'an account in base64 in a comment',
    shownCredentials,
    { judge: bound, note: `<!-- ${Buffer.from('ina:v7-Boje-44').toString('base64')} -->` },
  ],
  [
    'an account in a script, of a login that gives a token',
    shownCredentials,
    { judge: bound, style: 'page', note: '<script>const tester = { user: "ina", password: "v7-Boje-44" }</script>' },
  ],
  [
    'the usual first account',
    defaultCredentials,
    {
      title: 'Harbour administration',
      judge: ({ name, password }) => (name === 'admin' && password === 'admin' ? 'admin' : undefined),
    },
  ],
  [
    'an account that everybody tries first',
    defaultCredentials,
    { judge: ({ name, password }) => (name === 'test' && password === 'test' ? 'test' : undefined) },
  ],
  [
    'the same in JSON, on a site that leads everybody away from what it does not show',
    defaultCredentials,
    {
      style: 'silent',
      leadsAway: true,
      judge: ({ name, password }) => (name === 'test' && password === 'test' ? 'test' : undefined),
    },
  ],
  [
    'a member of the staff whose password is the name',
    defaultCredentials,
    {
      front: '<ul><li>Ann Lee (alee), port office<li>Bo Kim (bkim), pilots</ul>',
      judge: ({ name, password }) => (name === 'bkim' && password === 'bkim' ? 'bkim' : undefined),
    },
  ],
  [
    'an author whose password is the name',
    defaultCredentials,
    {
      style: 'page',
      front: '<article>Low tide <i>posted by <b>marlene</b> on Monday</i></article>',
      judge: ({ name, password }) => (name === 'marlene' && password === 'marlene' ? 'marlene' : undefined),
    },
  ],
];

const everybody: Check[] = [
  defaultCredentials,
  directoryLoginBypass,
  looseLogin,
  nosqlLoginBypass,
  shownCredentials,
  sqlLoginBypass,
] as Check[];
const quoted = /['"\\]/;
const known: Judge = ({ name, password }) => {
  const [found] = rows(`SELECT * FROM users WHERE name='${text(name)}'`);
  return found && found.password === password ? found.name : undefined;
};
let tries = 0;

const clean: [what: string, site: LoginSite][] = [
  ['bound values', { judge: bound }],
  ['bound values, and an account that the site names', { judge: bound, front: '<p>The office (login ina)</p>' }],
  ['an account that the page of the login names', { judge: bound, note: '<p>Only for the harbourmaster.</p>' }],
  ['an account that readers of the page are shown', { judge: bound, note: '<p>Demo account: ina / v7-Boje-44</p>' }],
  ['an account in a comment that is gone', { judge: bound, note: '<!-- test account: ina / changed-1 -->' }],
  ['bound values behind JSON', { judge: bound, style: 'token' }],
  ['bound values behind JSON that leads on', { judge: bound, style: 'next' }],
  ['bound values behind JSON that names no page', { judge: bound, style: 'silent' }],
  ['bound values and a greeting', { judge: bound, style: 'page' }],
  ['an administration without the usual accounts', { judge: bound, title: 'Admin console' }],
  [
    'SQL where a filter takes quotes and backslashes out',
    {
      judge: ({ name, password }) => {
        const [one, other] = [name, password].map((value) => text(value).replace(/['"\\]/g, ''));
        return rows(asMySql(`SELECT * FROM users WHERE name='${one}' AND password='${other}'`))[0]?.name;
      },
    },
  ],
  ['a name that is looked up by SQL, and a password that is compared', { judge: known }],
  [
    'an error page for quotes',
    {
      judge: (fields, request) => {
        if (quoted.test(text(fields.name) + text(fields.password))) throw new Error('quote');
        return bound(fields, request);
      },
    },
  ],
  [
    'a page without a form for quotes, with the status of a page',
    {
      error: { status: 200, text: 'Your request was blocked' },
      judge: (fields, request) => {
        if (quoted.test(text(fields.name) + text(fields.password))) throw new Error('quote');
        return bound(fields, request);
      },
    },
  ],
  [
    'a firewall that knows conditions',
    {
      error: { status: 200, text: 'Request rejected. Your support number is 4711.' },
      judge: (fields, request) => {
        if (/\bor\b.*=|--|#|\|\|/i.test(text(fields.name) + text(fields.password))) throw new Error('blocked');
        return bound(fields, request);
      },
    },
  ],
  [
    'a page without a form for what is no text, and for nothing',
    {
      error: { status: 200, text: 'Please fill in your password' },
      judge: (fields, request) => {
        if (!text(fields.name) || !text(fields.password)) throw new Error('text');
        return bound(fields, request);
      },
    },
  ],
  [
    'warnings for what is no text',
    {
      error: { status: 200, text: 'Warning: expects string, array given' },
      judge: (fields, request) => {
        if (typeof fields.password !== 'string') throw new Error('type');
        return bound(fields, request);
      },
    },
  ],
  ['a greeting on every page', { judge: bound, title: 'Welcome to the harbour' }],
  ['names of authors with passwords of their own', { judge: bound, front: '<p>posted by ina, Ann Lee (alee)</p>' }],
  ['a login that lets everybody in', { judge: ({ name }) => text(name) || 'somebody' }],
  ['a login that greets everybody', { judge: ({ name }) => text(name) || 'somebody', style: 'page' }],
  [
    'known names are greeted and sent a code, whatever the password',
    { judge: ({ name }) => (name === 'admin' || name === 'test' ? name : undefined), style: 'page' },
  ],
  [
    'a login that is closed after some tries',
    {
      error: { status: 200, text: 'Too many failed login attempts. Your account is locked.' },
      judge: (fields, request) => {
        tries += 1;
        if (tries > 6) throw new Error('locked');
        return bound(fields, request);
      },
    },
  ],
  [
    'a first account that is locked',
    {
      title: 'Admin panel',
      error: { status: 200, text: 'This account is locked.' },
      judge: (fields, request) => {
        if (fields.name === 'admin') throw new Error('locked');
        return bound(fields, request);
      },
    },
  ],
  [
    'the name is repeated',
    {
      error: { status: 200, text: 'x' },
      judge: (fields, request) => {
        const who = bound(fields, request);
        if (who === undefined) throw new Error(text(fields.name));
        return who;
      },
    },
  ],
];

for (const [what, site] of firstRows(clean, 1)) {
  test(`${what}: nobody is let in by a change`, async () => {
    const { url, close } = await startLogin(site);
    const audit = await openAudit(url, { depth: 'deep' });
    try {
      for (const each of everybody)
        assert.equal(
          (await check(audit, each)).findings.map(({ title }) => title),
          [],
        );
    } finally {
      await audit.close();
      await close();
    }
  });
}

test('a login that lets nobody try any more is left alone, which is reported', async () => {
  tries = 0;
  const [, site] = clean.find(([what]) => what.includes('closed')) ?? [];
  assert.ok(site);
  const { outcome } = await resultOf(sqlLoginBypass, site);
  assert.equal(outcome.kind, 'not-run');
  assert.match(outcome.reason, /\d+ changes of the login .* no further logins/);
  assert.ok(tries < 12, String(tries));
});

async function resultOf(subject: Check, site: LoginSite) {
  const { url, close } = await startLogin(site);
  try {
    return await runOn(url, subject, { depth: 'deep' });
  } finally {
    await close();
  }
}

for (const [what, subject, site] of firstOfKinds(vulnerable, ([, subject]) => subject, 1)) {
  test(`${what}: it is found`, async () => {
    const result = await resultOf(subject, site);
    assert.equal([result.outcome.kind, result.findings.length], ['found', 1], result.outcome.reason);
  });
}

const passwordAlone: Judge = ({ name, password }) =>
  /^\w+$/.test(text(name))
    ? rows(`SELECT * FROM users WHERE name='${name}' AND password='${password}'`)[0]?.name
    : undefined;

further(test)('the field whose value lets in is named', async () => {
  const inPassword = await resultOf(sqlLoginBypass, { judge: passwordAlone });
  const inName = await resultOf(sqlLoginBypass, { judge: known });
  assert.equal(
    [inPassword, inName].map(({ findings }) => findings.map(({ location }) => location?.parameter)),
    [['password'], []],
  );
  const asList = await resultOf(looseLogin, {
    style: 'page',
    judge: ({ password }) => (typeof password === 'string' ? undefined : 'ina'),
  });
  assert.equal(
    asList.findings.map(({ location }) => location?.parameter),
    ['password'],
  );
});

const opens =
  (account: string): Judge =>
  (fields, request) =>
    fields.name === account && fields.password === account ? account : bound(fields, request);

further(test)(
  'an account that a page gives its readers to try the site is no default one of an administrator',
  async () => {
    const severityOf = async (account: string, note: string) =>
      (await resultOf(defaultCredentials, { note, judge: opens(account) })).findings.map(({ severity }) => severity);
    assert.equal(await severityOf('demo', '<p>Try it: demo / demo</p>'), [Severity.LOW]);
    assert.equal(await severityOf('demo', '<p>Boats.</p>'), [Severity.CRITICAL]);
    assert.equal(await severityOf('admin', '<p>Try it: admin / admin</p>'), [Severity.CRITICAL]);
    assert.equal(await severityOf('demo', '<!-- demo / demo -->'), [Severity.CRITICAL]);
  },
);

test.run();
