import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HttpProbe } from '../../../workflows/model/http.ts';
import { ProbeError } from '../../../workflows/model/probe-error.ts';
import { kindOfForm } from '../../../workflows/probe/gate/structure.ts';
import { endsSession } from '../../../workflows/probe/session-words.ts';
import { survey } from '../../../workflows/survey/crawler.ts';
import { parsePage } from '../../../workflows/survey/page.ts';
import { leavingSite, waysOut } from '../../fixtures/logins/session-sites.ts';
import { html, startSite } from '../../fixtures/site.ts';
import { openAudit } from '../checks/harness.ts';
import { openTestProbes } from '../support/checks.ts';

const test = suite('crawling in a session');

test('no way out of a session is taken: by link, by form, from JSON or script, in no language', async () => {
  const { handler, session, sessions, left } = leavingSite();
  const site = await startSite(handler);
  const identity = { name: 'a', cookies: { sid: session }, checkPath: '/', marker: 'Signed in as dora' };
  const audit = await openAudit(site.url, { identities: [identity] }).finally(() => site.close());
  await audit.close();
  assert.equal(left, []);
  assert.ok(sessions.has(session));
  const pages = audit.context.surfaces.a?.pages.map(({ url }) => new URL(url).pathname) ?? [];
  for (const path of ['/news', '/api/menu', '/api/list', '/app.js']) assert.ok(pages.includes(path), path);
  const skipped = audit.context.surfaces.a?.skipped.map(({ url }) => url) ?? [];
  for (const [path] of waysOut.links) assert.ok(skipped.includes(new URL(path, site.url).href), path);
});

test('a session that the start page ends is used on what others found besides', async () => {
  const site = await startSite(({ path }) => (path === '/' || path === '/room' ? html('<p>Rooms') : undefined));
  const probes = openTestProbes(site.url, new AbortController().signal);
  const request = { url: `${site.url}/`, excludedPaths: [], signal: new AbortController().signal };
  try {
    const { origins: foundOrigins } = await survey({ ...request, probes, startUrls: [] });
    const http: HttpProbe = {
      ...probes.http,
      async send(asked) {
        if (new URL(asked.url).pathname !== '/') return probes.http.send(asked);
        throw new ProbeError('ends_session', 'the page ends the session of whoever opens it');
      },
    };
    const identity = { name: 'a', role: 'user', checkUrl: `${site.url}/room`, marker: 'room', headers: [] };
    const own = { identity: { ...identity, jar: probes.http.newJar() }, startUrls: [`${site.url}/room`], foundOrigins };
    const { origins, pages } = await survey({ ...request, ...own, probes: { ...probes, http } });
    assert.equal(origins, foundOrigins);
    assert.equal(
      pages.filter(({ status }) => status === 200).map(({ url }) => new URL(url).pathname),
      ['/room'],
    );
  } finally {
    await probes.close();
    await site.close();
  }
});

test('words that only look like it are none', () => {
  for (const text of [
    '/logouts-explained',
    '/blogout',
    '/sessions/endless',
    '/design-offers',
    '/exit-strategy',
    '/resign',
    '/keluarga',
  ])
    assert.is(endsSession.test(text), false, text);
});

test('a form is recognised by its action, its buttons and its commands, and not by words in its fields', () => {
  const [page, leaves] = [
    (html: string) => parsePage(html, 'https://a.example/').forms[0],
    (html: string) => {
      const form = page(html);
      return form && kindOfForm(form).kind === 'ends-session';
    },
  ];
  for (const form of waysOut.forms) assert.is(leaves(form), true, form);
  assert.is(
    leaves('<form action="/search"><input name="q" value="how to log out"><button>Search</button></form>'),
    false,
  );
  assert.is(
    leaves('<form action="/settings"><textarea name="bio">I log out often</textarea><button>Save</button></form>'),
    false,
  );
});

test.run();
