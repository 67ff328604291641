import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { Client, Connection } from '@temporalio/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withClient } from '../../dev/postgres.ts';
import { Depth, ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { totpAt } from '../../workflows/login/totp.ts';
import { cookieSessions } from '../fixtures/logins/people.ts';
import { type Handler, html, json, startSite } from '../fixtures/site.ts';
import { type Installation, isOver, openInstallation } from '../workflows/support/installation.ts';

const host = 'site.localhost';
const canary = (kind: string) => `canary-${kind}-${randomBytes(9).toString('hex')}`;
const base32 = () => Array.from(randomBytes(32), (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32]).join('');

const secrets = {
  form: canary('form'),
  totpForm: canary('totp-form'),
  totp: base32(),
  json: canary('json'),
  bearer: canary('bearer'),
  header: canary('header'),
  cookie: canary('cookie'),
  browser: canary('browser'),
  wrong: canary('wrong'),
};
const code = { secret: secrets.totp, algorithm: 0, digits: 6, periodSeconds: 15 } as const;

/**
 * A site with people of every kind, which talks too much: it repeats headers, cookies and passwords on its pages, and
 * sets its session cookie again with each answer.
 */
function talkativeSite(): Handler {
  const { sessions, open, of } = cookieSessions();
  sessions.set(secrets.cookie, 'carla');
  const passwords: Record<string, string> = {
    fritz: secrets.form,
    tilda: secrets.totpForm,
    jason: secrets.json,
    bruno: secrets.browser,
  };
  const tokens: Record<string, string> = { [`Bearer ${secrets.bearer}`]: 'berta', [secrets.header]: 'hedda' };
  const login =
    '<form method="post" action="/login"><input name="username"><input type="password" name="password"><button>Sign in</button></form>';
  return (request) => {
    const name =
      of(request) ?? tokens[request.headers.authorization ?? ''] ?? tokens[String(request.headers['x-key'] ?? '')];
    const fields = new URLSearchParams(request.body);
    if (request.path === '/api/login' && request.body.startsWith('{')) {
      const { username, password } = JSON.parse(request.body) as { username: string; password: string };
      if (passwords[username] !== password) return json({ error: `no such password: ${password}` }, 401);
      return {
        status: 200,
        headers: { 'content-type': 'application/json', 'set-cookie': open(username) },
        body: JSON.stringify({ you: request.body }),
      };
    }
    if (request.path === '/login' && request.method === 'GET') return html(login);
    if (request.path === '/login') {
      const [user, password] = [fields.get('username') ?? '', fields.get('password') ?? ''];
      if (passwords[user] !== password) return html(`<p>Wrong password: ${password}</p>${login}`, 401);
      if (user === 'tilda' && !fields.has('otp'))
        return html(
          `<form method="post" action="/login"><input type="hidden" name="username" value="tilda"><input type="hidden" name="password" value="${password}"><input name="otp"></form>`,
        );
      const isCode = [0, 15_000].some((agoMs) => totpAt(code, Date.now() - agoMs) === fields.get('otp'));
      if (user === 'tilda' && !isCode) return html('<p>Wrong code</p>', 401);
      return { status: 302, headers: { location: '/', 'set-cookie': open(user) } };
    }
    const again = request.cookies.sid === undefined ? {} : { 'set-cookie': `sid=${request.cookies.sid}; Path=/` };
    if (request.path === '/debug')
      return html(`<pre>${JSON.stringify(request.headers)}</pre>${request.query.get('q') ?? ''}`, 200, again);
    if (request.path !== '/') return undefined;
    const links = '<a href="/debug?q=1">Debug</a><a href="/login">Sign in</a>';
    return html(
      name === undefined ? links : `<p>Signed in as ${name}</p>${links}<a href="/logout">Sign out</a>`,
      200,
      again,
    );
  };
}

const test = suite<{ installation: Installation }>('secrets of logins');
test.before(async (context) => {
  context.installation = await openInstallation({ host, logLevel: 'trace' });
});
test.after(({ installation }) => installation.close());

test('no secret of any kind of login is in the database, logs, histories or answers of a scan that used it', async ({
  installation,
}) => {
  const site = await startSite(talkativeSite(), { host });
  const at = (path: string) => `${site.url}${path}`;
  const typed = (username: string, password: string, path = '/login') => ({ url: at(path), username, password });
  const logins = {
    a: { kind: { case: 'form', value: typed('fritz', secrets.form) } },
    b: { kind: { case: 'form', value: typed('tilda', secrets.totpForm) }, totp: code },
    c: { kind: { case: 'json', value: typed('jason', secrets.json, '/api/login') } },
    d: { kind: { case: 'bearer', value: secrets.bearer } },
    e: { kind: { case: 'header', value: { name: 'X-Key', value: secrets.header } } },
    f: { kind: { case: 'cookie', value: `sid=${secrets.cookie}` } },
    g: { kind: { case: 'browser', value: typed('bruno', secrets.browser) } },
    wrong: { kind: { case: 'form', value: typed('nobody', secrets.wrong) } },
  } as const;
  try {
    const answers: unknown[] = [];
    for (const [name, login] of Object.entries(logins)) {
      answers.push(await installation.domains.putLogin({ domain: host, name, login }));
      answers.push(await installation.domains.getLogin({ domain: host, name }));
    }
    await installation.startWorker();
    const { runId } = await installation.scans.startScan({ url: site.url, depth: Depth.DEEP });
    const record = await installation.until(runId, isOver, 330_000);
    assert.is(record.status, ScanStatus.COMPLETED, record.failure?.detail);
    const unproven = record.coverage?.notCovered.filter(({ subject }) => subject.startsWith('login'));
    assert.equal(
      unproven?.map(({ subject }) => subject),
      ['login:wrong'],
      JSON.stringify(unproven?.map(({ reason }) => reason)),
    );
    answers.push(record, await installation.scans.listFindings({ runId }));
    answers.push(await installation.scans.getReport({ runId }));

    const places = {
      database: await databaseText(installation.databaseUrl),
      history: await historyText(installation.temporalAddress, runId),
      'log of core': await installation.log('core'),
      'log of the worker': await installation.log('worker'),
      answers: textOf(answers),
    };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(text.length > 500, `the ${place} was not read`);
      for (const [name, secret] of Object.entries(secrets))
        assert.not.ok(text.includes(secret), `the secret of ${name} is in the ${place}: ${around(text, secret)}`);
    }
    assert.match(places.database, '/debug?q=1');
    assert.match(places.database, runId);
    assert.match(places.history, runId);
  } finally {
    await site.close();
  }
});

const around = (text: string, secret: string) => {
  const index = text.indexOf(secret);
  return text.slice(Math.max(0, index - 200), index + 100);
};

/** All rows of all tables, artifacts unpacked. */
const databaseText = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const table = client.escapeIdentifier(name);
      // Its owner, whom row-level security binds as well, unless it is told not to.
      await client.query(`alter table ${table} no force row level security`);
      const { rows } = await client.query<Record<string, unknown>>(`select * from ${table}`);
      for (const row of rows) texts.push(name, textOf(await unpacked(row)));
    }
    return texts.join('\n');
  });

const decompress = promisify(zstdDecompress);

const unpacked = async (row: Record<string, unknown>): Promise<Record<string, unknown>> =>
  Buffer.isBuffer(row.content) ? { ...row, content: (await decompress(row.content)).toString('utf8') } : row;

async function historyText(address: string, runId: string): Promise<string> {
  const connection = await Connection.connect({ address });
  try {
    return textOf(await new Client({ connection }).workflow.getHandle(`scan/${runId}`).fetchHistory());
  } finally {
    await connection.close();
  }
}

/** Bytes as the text that they are. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member === 'bigint') return String(member);
    if (member instanceof Uint8Array) return Buffer.from(member).toString('utf8');
    return isBufferJson(member) ? Buffer.from(member.data).toString('utf8') : member;
  });

const isBufferJson = (value: unknown): value is { type: 'Buffer'; data: number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;

test.run();
