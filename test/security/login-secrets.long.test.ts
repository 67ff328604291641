import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, type Scan, ScanStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { talkativeSite } from '../fixtures/logins/talkative-site.ts';
import { type Site, startSite } from '../fixtures/site.ts';
import { usualRows } from '../support/further.ts';
import { spellingsOf } from '../support/spellings.ts';
import { databaseText, historyText, plainText } from '../support/traces.ts';
import { hasEnded, type Installation, openInstallation } from '../workflows/support/installation.ts';

const host = 'site.localhost';
/** With characters that every encoding writes in its own way. */
const canary = (kind: string) => `canary ${kind} "&<é> ${randomBytes(9).toString('hex')}`;
const word = (kind: string) => `canary-${kind}-${randomBytes(9).toString('hex')}`;
const base32 = () => Array.from(randomBytes(32), (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32]).join('');

const logins = {
  form: canary('form'),
  totpForm: word('totp-form'),
  totp: base32(),
  json: canary('json'),
  bearer: word('bearer'),
  header: word('header'),
  cookie: word('cookie'),
  browser: word('browser'),
  wrong: canary('wrong'),
};
const found = {
  'database password of the site': word('database'),
  'signing secret of the site': randomBytes(24).toString('base64url'),
  'private key of the site': randomBytes(48).toString('base64'),
};
const settings = `APP_ENV=production
DB_PASSWORD=${found['database password of the site']}
JWT_SECRET=${found['signing secret of the site']}
SIGNING_KEY="-----BEGIN PRIVATE KEY-----\\n${found['private key of the site']}\\n-----END PRIVATE KEY-----"
`;
const code = { secret: logins.totp, algorithm: 0, digits: 6, periodSeconds: 15 } as const;
const scopeHeader = word('scope-header');

type Context = {
  installation: Installation;
  site: Site;
  record: Scan;
  /** All that the installation keeps, says and answers, by what it is. */
  places: Record<string, string>;
  secrets: Record<string, string>;
};

const test = suite<Context>('secrets');

/** A deep scan with a login of each kind, and after it a look into every corner. */
test.before(async (context) => {
  const { handler, sessions } = talkativeSite({ ...logins, settings });
  const installation = await openInstallation({ host, logLevel: 'trace' });
  const site = await startSite(handler, { host });
  Object.assign(context, { installation, site });
  const gateway = await installation.startGateway();
  const answers = await putLogins(installation, site);
  const headers = [{ name: 'X-Audit-Pass', value: scopeHeader }];
  answers.push(await installation.domains.putScope({ domain: host, scope: { headers } }));
  const worker = await installation.startWorker();
  const { runId } = await installation.scans.startScan({ url: site.url, depth: Depth.DEEP });
  const record = await installation.until(runId, hasEnded, 330_000);
  answers.push(record, await installation.scans.listFindings({ runId }));

  const get = async (path: string, init: { method?: string; accept?: string; key?: string; body?: string } = {}) => {
    const { key = installation.apiKey, accept = '*/*', method = 'GET', body } = init;
    const type = { accept, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}/api/v1${path}`, { method, headers: type, ...(body && { body }) });
    return `${answer.status} ${await answer.text()}`;
  };
  const metrics = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const wrongLogin = JSON.stringify({ form: { url: 5, username: 'a', password: logins.form }, bearer: logins.bearer });
  const cli = (...args: string[]) => runCli(gateway.url, installation.apiKey, args);
  Object.assign(context, {
    record,
    secrets: {
      ...logins,
      ...found,
      'header of the scope': scopeHeader,
      'key of the org': installation.apiKey,
      'key of the worker': installation.workerKey,
      'key of the operator': installation.operatorKey,
      'encryption key': installation.encryptionKey.toString('base64'),
      'encryption key, in hexadecimal': installation.encryptionKey.toString('hex'),
      ...Object.fromEntries([...sessions.keys()].map((id, index) => [`session ${index}`, id])),
    },
    places: {
      'answers over gRPC': plainText(answers),
      'findings over REST': await get(`/scans/${runId}/findings?limit=100`),
      'findings as SARIF': await get(`/scans/${runId}/findings`, { accept: 'application/sarif+json' }),
      report: await get(`/scans/${runId}/report`),
      gate: await get(`/scans/${runId}/gate`),
      'audit log': await get('/org/audit-log?limit=100'),
      'errors over REST': [
        await get('/scans', { key: `${installation.apiKey.slice(0, -1)}!` }),
        await get(`/scans?colour=${logins.bearer.slice(0, 6)}`),
        await get(`/domains/${host}/logins/a`, { method: 'PUT', body: wrongLogin }),
        await get(`/domains/${host}/logins/a`, { method: 'PUT', body: `${wrongLogin}}` }),
        await get('/scans', { method: 'POST', body: '{"url":"https://elsewhere.example"}' }),
        'padding'.repeat(80),
      ].join('\n'),
      'what the CLI says': [
        await cli('gate', '--run', runId, '--json', '-'),
        await cli('findings', runId),
        await cli('gate', '--run', 'unknown'),
      ].join('\n'),
      metrics: [
        await metrics(gateway.operationsPort),
        await metrics(installation.coreOperationsPort),
        await metrics(Number(worker.ready.operationsPort)),
      ].join('\n'),
      'core without its database': await refusedByDatabase(installation),
      database: await databaseText(installation.databaseUrl),
      history: await historyText(installation.temporalAddress, `scan/${runId}`),
      'log of core': await installation.log('core'),
      'log of the gateway': await installation.log('gateway'),
      'log of the worker': await installation.log('worker'),
    },
  });
});
test.after(async ({ installation, site }) => {
  await site.close();
  await installation.close();
});

/** @returns what was answered */
async function putLogins({ domains }: Installation, site: Site): Promise<unknown[]> {
  const at = (path: string) => `${site.url}${path}`;
  const typed = (username: string, password: string, path = '/login') => ({ url: at(path), username, password });
  const given = {
    a: { kind: { case: 'form', value: typed('fritz', logins.form) } },
    b: { kind: { case: 'form', value: typed('tilda', logins.totpForm) }, totp: code },
    c: { kind: { case: 'json', value: typed('jason', logins.json, '/api/login') } },
    d: { kind: { case: 'bearer', value: logins.bearer } },
    e: { kind: { case: 'header', value: { name: 'X-Key', value: logins.header } } },
    f: { kind: { case: 'cookie', value: `sid=${logins.cookie}` } },
    g: { kind: { case: 'browser', value: typed('bruno', logins.browser) } },
    wrong: { kind: { case: 'form', value: typed('nobody', logins.wrong) } },
  } as const;
  const answers: unknown[] = [];
  // Each logs in, surveys and looks with its session: those of a password, a cookie and a browser are there with every change.
  for (const [name, login] of usualRows<(typeof given)[keyof typeof given]>(given, ['a', 'f', 'g', 'wrong'])) {
    answers.push(await domains.putLogin({ domain: host, name, login }));
    answers.push(await domains.getLogin({ domain: host, name }));
  }
  return answers;
}

function runCli(api: string, key: string, args: string[]): Promise<string> {
  const program = join(import.meta.dirname, '../../cli/main.ts');
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, SCAN_AUDIT_API: api, SCAN_AUDIT_KEY: key };
  return new Promise((resolve) =>
    execFile(process.execPath, [program, ...args], { env }, (_error, out, err) => resolve(out + err)),
  );
}

const databasePassword = word('database-password');

/** What a core says whose password the database refuses. */
async function refusedByDatabase(installation: Installation): Promise<string> {
  const url = Object.assign(new URL(installation.databaseUrl), { username: 'nobody', password: databasePassword }).href;
  const failed = await installation.startCoreAs('refused', { DATABASE_URL: url, DATABASE_OWNER_URL: '' }).catch(String);
  return `${failed}\n${await installation.log('refused')}`;
}

test('the scan has used them all, and has found what lies about', ({ record, places }) => {
  assert.is(record.status, ScanStatus.COMPLETED, record.failure?.detail);
  const unproven = record.coverage?.gaps.filter(({ subject }) => subject.startsWith('login'));
  assert.equal(
    unproven?.map(({ subject }) => subject),
    ['login:wrong'],
    JSON.stringify(unproven?.map(({ text }) => text)),
  );
  assert.match(places['findings over REST'] ?? '', 'exposure.environment-file');
  assert.match(places.database ?? '', '/debug?q=1');
  for (const place of ['database', 'history', 'report', 'what the CLI says'])
    assert.match(places[place] ?? '', record.runId, place);
  assert.match(places['core without its database'] ?? '', 'password authentication failed');
});

test('none is in anything that is kept, said or answered, in any encoding', ({ places, secrets }) => {
  const all = { ...secrets, 'password of the database': databasePassword };
  assert.ok(Object.keys(all).length > 20, 'sessions are among them');
  const hits: string[] = [];
  for (const [place, text] of Object.entries(places)) {
    assert.ok(text.length > 200, `the place "${place}" was not read: ${text}`);
    for (const [name, secret] of Object.entries(all)) {
      const spelling = spellingsOf(secret).find((each) => text.includes(each));
      if (spelling !== undefined) hits.push(`${name} in ${place}: ${around(text, spelling)}`);
    }
  }
  assert.equal(hits, []);
});

const around = (text: string, secret: string) => {
  const index = text.indexOf(secret);
  return text.slice(Math.max(0, index - 200), index + 100);
};

test.run();
