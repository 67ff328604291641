import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prototypePollution } from '../../../../workflows/checks/injection/prototype-pollution.check.ts';
import { type Handler, html, startSite } from '../../../fixtures/site.ts';
import { startMerging } from '../../../scorecard/sites/merging-sites.ts';
import { testBrowsers } from '../../../support/browsers.ts';
import { firstRows } from '../../../support/further.ts';
import { type AuditOptions, check, openAudit, places } from '../harness.ts';

const test = suite('injection.prototype-pollution');
const browsers = testBrowsers();
test.after(() => browsers.close());

async function result(url: string, options: AuditOptions = {}) {
  const audit = await openAudit(url, { depth: 'deep', writes: 'create', browsers, ...options });
  try {
    const { lasting, writes, undone } = audit;
    return { ...(await check(audit, prototypePollution)), lasting, writes, undone };
  } finally {
    await audit.close();
  }
}

async function resultOf(handler: Handler, options: AuditOptions = {}) {
  const site = await startSite(handler);
  try {
    return await result(site.url, options);
  } finally {
    await site.close();
  }
}

test('what is sent to the prototype is recorded, and set back', async () => {
  const site = await startMerging({ kind: 'club', skips: [] });
  try {
    const found = await result(site.url);
    assert.equal([found.outcome.kind, places(found)], ['found', ['POST /api/preferences __proto__']]);
    assert.match(found.lasting[0]?.description ?? '', /stay until the application is started again/);
    assert.is((await fetch(`${site.url.replace('shop.localhost', '127.0.0.1')}/admin/reports`)).status, 403);
  } finally {
    await site.close();
  }
});

test('a thing of members that a script replaces is merged, with its values put back', async () => {
  for (const [skips, expected] of [
    [[], ['PATCH /api/timetable __proto__']],
    [['__proto__', 'constructor'], []],
  ] as const) {
    const site = await startMerging({ kind: 'timetable', skips: [...skips] });
    try {
      const found = await result(site.url, site.options);
      assert.equal(places(found), expected, found.outcome.reason);
      assert.ok(found.writes.length > 0 && found.undone.length === found.writes.length);
      assert.match(found.writes[0]?.description ?? '', /What it replaces may keep them/);
      const headers = { cookie: 'member=timetable-of-31' };
      const own = await fetch(`${site.url.replace('shop.localhost', '127.0.0.1')}/api/timetable`, { headers });
      const { shade, week } = (await own.json()) as { shade: string; week: { first: string; hours: object } };
      assert.equal([shade, week.first, Object.keys(week.hours)[0]], ['green', 'monday', 'from']);
    } finally {
      await site.close();
    }
  }
});

test('nothing is sent where the scope does not allow what stays', async () => {
  const site = await startMerging({ kind: 'settings', skips: [] });
  try {
    const { outcome, lasting } = await result(site.url, { writes: 'reversible' });
    assert.equal([outcome.kind, lasting.length], ['not-run', 0]);
  } finally {
    await site.close();
  }
});

/** A page whose script sends JSON, and what is answered to that by the body and by how many were sent before. */
const saving = (
  answer: (body: string, before: number) => { status: number; body: string },
  reports = () => 403,
): Handler => {
  let sent = 0;
  return ({ path, method, body }) => {
    const headers = { 'x-powered-by': 'Express', 'content-type': 'text/html' };
    if (path === '/')
      return {
        ...{ status: 200, headers },
        body: `<a href="/admin/reports">Reports</a><button>Save</button><script>document.querySelector('button').onclick = () => fetch('/api/display', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"theme":"dark"}' })</script>`,
      };
    if (path === '/admin/reports') return { status: reports(), headers, body: '<p>Reports of the year</p>' };
    if (path !== '/api/display' || method !== 'POST') return undefined;
    sent += 1;
    return { ...answer(body, sent - 1), headers: { 'content-type': 'application/json' } };
  };
};

let turn = 0;
const clean: Record<string, Handler> = {
  'answers all that cannot be parsed with that status': saving((body) => ({
    status: body.endsWith('}') ? 200 : 510,
    body: '{}',
  })),
  'has troubles of its own now and then': saving((body, before) => ({
    status: body.endsWith('}') ? 200 : before % 3 === 2 ? 510 : 400,
    body: '{}',
  })),
  'repeats what it was sent': saving((body) => ({ status: body.endsWith('}') ? 200 : 400, body })),
  'opens a page to everybody by turns': saving(
    (body) => ({ status: body.endsWith('}') ? 200 : 400, body: '{}' }),
    () => (turn++ % 2 === 0 ? 403 : 200),
  ),
  'refuses names of the prototype': saving((body) => ({ status: body.includes('proto') ? 422 : 200, body: '{}' })),
};

for (const [what, handler] of firstRows(Object.entries(clean), 2))
  test(`a site that ${what} is no finding`, async () => {
    const { outcome, findings } = await resultOf(handler);
    assert.equal([outcome.kind, findings.length], ['clean', 0], outcome.reason);
  });

test('a site in another language is not asked', async () => {
  const { outcome } = await resultOf(({ path }) =>
    path === '/'
      ? { ...html('<p>Shop</p>'), headers: { 'x-powered-by': 'PHP/8.3', 'content-type': 'text/html' } }
      : undefined,
  );
  assert.is(outcome.kind, 'not-applicable');
});

test.run();
