import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedXss } from '../../../../workflows/checks/injection/stored-xss.check.ts';
import { gainedName } from '../../../../workflows/model/gained-name.ts';
import { people, visitor } from '../../../fixtures/accounts.ts';
import { escapeHtml, html, redirect, startSite } from '../../../fixtures/site.ts';
import { check, openAudit, places, type TestIdentity, testBrowsers } from '../harness.ts';

const test = suite('stored script in profiles that are empty');
const browsers = testBrowsers();
test.after(() => browsers.close());

const members = [people.ann, people.bob];

/** Members with a town, which nobody has given yet, in a script of the page that lists all. @param written how it is written */
function site(written: (towns: readonly string[]) => string) {
  const towns = new Map(members.map(({ name }) => [name, '']));
  const started = startSite((request) => {
    const { path, method, body } = request;
    const reader = visitor(request)?.name;
    if (path === '/') return html('<a href="/profile">Profile</a>');
    if (reader === undefined) return redirect('/');
    if (path === '/members')
      return html(`<h1>Signed in</h1><script>const towns = ${written([...towns.values()])}</script>`);
    if (path !== '/profile') return undefined;
    if (method === 'POST') {
      towns.set(reader, new URLSearchParams(body).get('town') ?? '');
      return redirect('/profile');
    }
    return html(
      `<h1>Signed in</h1><a href="/members">Members</a><form method="post"><input name="nick" value="${reader}"><input name="town" value="${escapeHtml(towns.get(reader) ?? '')}"><button>Save</button></form>`,
    );
  });
  return { started, towns };
}

const identities = (nameOf: (index: number) => string): TestIdentity[] =>
  members.map(({ session }, index) => ({
    name: nameOf(index),
    cookies: { sid: session },
    checkPath: '/profile',
    marker: 'Signed in',
  }));
const own = (index: number) => gainedName('registered', index);
const given = (index: number) => `member${index}`;

const ended = (towns: readonly string[]) => JSON.stringify(towns).replaceAll('<', '\\u003c');

for (const [which, written, nameOf, expected] of [
  ['an account of the audit is filled in and emptied again', JSON.stringify, own, ['POST /profile town']],
  ['an account of the audit whose script is not ended is clean', ended, own, []],
  ['an account that an org gives is left as it is', JSON.stringify, given, []],
] as const)
  test(`an empty field of ${which}`, async () => {
    const { started, towns } = site(written);
    const running = await started;
    const audit = await openAudit(running.url, {
      ...{ browsers, depth: 'deep', writes: 'create', startsAtCheckPages: true },
      identities: identities(nameOf),
    });
    try {
      const found = await check(audit, storedXss);
      assert.equal(places(found), expected, found.outcome.reason);
      assert.is(audit.undone.length, audit.writes.length);
      assert.equal([...towns.values()], ['', '']);
    } finally {
      await audit.close();
      await running.close();
    }
  });

test.run();
