import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { reflectedXss } from '../../../../workflows/checks/injection/reflected-xss.check.ts';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { sqlError } from '../../../../workflows/checks/injection/sql-error.check.ts';
import { cookieInputs } from '../../../../workflows/checks/inputs/cookie-inputs.ts';
import { findingAs } from '../../../../workflows/checks/visitors/as-visitor.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { further } from '../../../support/further.ts';
import { type Audit, check, checkAgain, openAudit, places, stored, testBrowsers } from '../harness.ts';
import { type MemberOffice, openMemberOffice } from './member-office.ts';

type Opened = { site: MemberOffice; audit: Audit };
type World = { browsers: BrowserPool; weak: Opened; patched: Opened };
const visitors = suite<World>('checks that each identity looks with');

const identity = (name: string, role = 'user') => ({
  ...{ name, role, checkPath: '/', marker: `Hello, ${name}` },
  login: { path: '/login', username: name, password: `password of ${name}` },
});

async function openOffice(safety: 'concatenated' | 'bound', browsers: BrowserPool): Promise<Opened> {
  const site = await openMemberOffice(safety);
  const identities = [identity('anna'), identity('bea'), identity('root', 'admin')];
  return { site, audit: await openAudit(site.url, { identities, browsers, depth: 'deep' }) };
}

visitors.before(async (world) => {
  world.browsers = testBrowsers();
  world.weak = await openOffice('concatenated', world.browsers);
  world.patched = await openOffice('bound', world.browsers);
});
visitors.after(async ({ browsers, weak, patched }) => {
  for (const { site, audit } of [weak, patched]) {
    await audit.close();
    await site.close();
  }
  await browsers.close();
});

const run = promisify(execFile);

visitors(
  'a statement behind a login is found with the session, and nobody finds it without',
  async ({ weak: { audit } }) => {
    assert.equal((await check(audit, sqlError)).findings, []);
    const found = await checkAgain(audit, sqlError, 'anna');
    assert.equal(places(found), ['GET /members sort'], found.outcome.reason);
    const [finding] = found.findings;
    assert.match(
      finding?.description ?? '',
      /found as the test identity "anna" \(role user\), and proven with its session/,
    );
    assert.match(finding?.cvss?.vector ?? '', 'PR:L');
    const steps = [...(finding?.proof?.steps ?? []), ...(finding?.proof?.control ?? [])];
    assert.ok(steps.every((step) => step.identity === 'anna'));
    assert.not.match(stored(found), /office=[0-9a-f]{8}/);
  },
);

visitors('what is behind a login takes an account, and what a guest reaches takes none', () => {
  const graded = (name: string) => {
    const cvss = { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', score: 7.5 };
    const proof = { steps: [{ identity: name }] };
    return findingAs({ cvss, severity: Severity.HIGH, proof }, { name, role: 'user' });
  };
  assert.is(graded('anna').severity, Severity.MEDIUM);
  assert.is(graded('guest_1').severity, Severity.HIGH);
  assert.is(graded('guest-1').severity, Severity.MEDIUM, 'an org may call a user so');
});

further(visitors)(
  'a form with a token is tried with the session that the token belongs to',
  async ({ weak: { site, audit } }) => {
    const found = await checkAgain(audit, sqlBoolean, 'anna');
    assert.ok(places(found).includes('POST /search text'), found.outcome.reason);
    const finding = found.findings.find(({ location }) => location?.method === 'POST');
    const script = (finding?.proof?.curl ?? '').replaceAll(
      'curl -',
      `curl --resolve '*:${new URL(site.url).port}:127.0.0.1' -`,
    );
    const env = { ...process.env, USERNAME_ANNA: 'anna', PASSWORD_ANNA: 'password of anna' };
    const { stdout } = await run('bash', ['-c', script], { env });
    assert.match(stdout, '<h1>Results</h1>', script);
  },
);

further(visitors)(
  'script behind a login runs in the session, and needs no account of the attacker',
  async ({ weak: { audit } }) => {
    const found = await checkAgain(audit, reflectedXss, 'anna');
    assert.equal(places(found).toSorted(), ['GET /greeting name', 'GET /handbook chapter'], found.outcome.reason);
    const greeting = found.findings.find(({ location }) => location?.parameter === 'name');
    assert.match(greeting?.cvss?.vector ?? '', 'PR:N/UI:R');
    assert.is(greeting?.severity, Severity.MEDIUM);
  },
);

further(visitors)(
  'what only members are led to and everybody can open is proven without a session',
  async ({ weak }) => {
    const { findings } = await checkAgain(weak.audit, reflectedXss, 'anna');
    const handbook = findings.find(({ location }) => location?.parameter === 'chapter');
    assert.match(handbook?.description ?? '', /everybody reaches it/);
    assert.ok(handbook?.proof?.steps?.every((step) => !step.identity));
  },
);

further(visitors)('the patched twin is clean', async ({ patched: { audit } }) => {
  for (const subject of [sqlError, sqlBoolean, reflectedXss]) {
    const found = await checkAgain(audit, subject, 'anna');
    assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
  }
});

visitors(
  'a second identity looks at what the first was not shown, and an administrator makes it PR:H',
  async ({ weak: { audit } }) => {
    assert.equal((await checkAgain(audit, sqlError, 'bea', ['anna'])).findings, []);
    const found = await checkAgain(audit, sqlError, 'root', ['anna', 'bea']);
    assert.equal(places(found), ['GET /accounts order'], found.outcome.reason);
    assert.match(found.findings[0]?.cvss?.vector ?? '', 'PR:H');
  },
);

further(visitors)('a session that is renewed on the way is the one that is sent', async ({ weak: { site, audit } }) => {
  const anna = audit.context.identities.anna;
  assert.ok(anna);
  const { jar } = await audit.context.logIn('anna');
  site.forget(anna.jar.header(site.url));
  Object.assign(anna, { jar });
  const found = await checkAgain(audit, sqlError, 'anna');
  assert.equal(places(found), ['GET /members sort'], found.outcome.reason);
});

visitors('a cookie that a check sends stands in the place of the session’s own', async ({ weak: { site, audit } }) => {
  const { jar } = audit.context.identities.anna ?? {};
  assert.ok(jar);
  const [taste] = cookieInputs({ pages: audit.context.surfaces.anna?.pages ?? [] });
  assert.is(taste?.parameter, 'taste');
  const sent = await audit.context.http.get(site.url, { jar, headers: [['Cookie', 'taste=other']] });
  const cookies = sent.request.headers.find(([name]) => name === 'Cookie')?.[1] ?? '';
  assert.match(cookies, /office=\w+/);
  assert.equal(cookies.match(/taste=\w+/g), ['taste=other']);
});

visitors.run();
