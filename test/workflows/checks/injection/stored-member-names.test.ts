import nunjucks from 'nunjucks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storedTemplate } from '../../../../workflows/checks/injection/stored-template.check.ts';
import { escapeHtml, html, redirect, startSite } from '../../../fixtures/site.ts';
import { check, openAudit, places } from '../harness.ts';

const test = suite('names of members that are looked up where a page is made');

const user = { name: 'ina', first: 'Ina', last: 'Berg' };

/** A board that calls a member as they have chosen in their settings. */
async function result(call: (shown: string) => string) {
  let shown = 'user.name';
  const site = await startSite(({ path, method, body, cookies }) => {
    if (path === '/') return html('<a href="/settings">Settings</a> <a href="/board">Board</a>');
    if (cookies.sid !== 'session-of-ina-51c0') return html('<h1>Log in first</h1>', 401);
    if (path === '/board') return html(`<h1>Board</h1><p><b>${call(shown)}</b>: What do you read?</p>`);
    if (path !== '/settings') return undefined;
    if (method !== 'POST')
      return html(`<h1>Settings of ina</h1><form method="post" action="/settings">
        <select name="show"><option>user.name</option><option>user.first</option></select><button>Save</button></form>`);
    shown = new URLSearchParams(body).get('show') ?? shown;
    return redirect('/settings', 303);
  });
  const identity = {
    ...{ name: 'A', cookies: { sid: 'session-of-ina-51c0' } },
    ...{ checkPath: '/settings', marker: 'Settings of ina' },
  };
  const identities = [identity];
  const audit = await openAudit(site.url, { identities, startPaths: ['/settings'], depth: 'deep', writes: 'create' });
  try {
    const found = await check(audit, storedTemplate);
    return { found, sent: site.requests.filter((each) => each.startsWith('POST')).length };
  } finally {
    await audit.close();
    await site.close();
  }
}

const rendered = (shown: string): string => {
  try {
    return nunjucks.renderString(`{{ ${shown} }}`, { user });
  } catch {
    return 'somebody';
  }
};

test('an expression behind the name is found, and not where the name is looked up as data', async () => {
  const { found, sent } = await result(rendered);
  assert.equal(places(found), ['POST /settings show'], found.outcome.reason);
  assert.ok(sent <= 12, String(sent));
  const patched = await result((shown) => Object.entries(user).find(([name]) => shown === `user.${name}`)?.[1] ?? '?');
  assert.equal(places(patched.found), [], patched.found.outcome.reason);
});

const welcome = 'Welcome, {guest.name}! Your room is {guest.room}.';

/** A house whose owner writes how guests are welcomed. */
async function welcomed(format: (text: string) => string) {
  let text = welcome;
  const site = await startSite(({ path, method, body, cookies }) => {
    if (path === '/') return html('<a href="/settings">Settings</a> <a href="/welcome">Welcome</a>');
    if (cookies.sid !== 'session-of-ina-51c0') return html('<h1>Log in first</h1>', 401);
    if (path === '/welcome') return html(`<p>${escapeHtml(format(text))}</p>`);
    if (path !== '/settings') return undefined;
    if (method !== 'POST')
      return html(`<h1>Settings of ina</h1><form method="post" action="/settings">
        <textarea name="welcome">${escapeHtml(text)}</textarea><button>Save</button></form>`);
    text = new URLSearchParams(body).get('welcome') ?? text;
    return redirect('/welcome', 303);
  });
  const identity = {
    ...{ name: 'A', cookies: { sid: 'session-of-ina-51c0' } },
    ...{ checkPath: '/settings', marker: 'Settings of ina' },
  };
  const options = { identities: [identity], startPaths: ['/settings', '/welcome'] };
  const audit = await openAudit(site.url, { ...options, depth: 'deep', writes: 'create' });
  try {
    return places(await check(audit, storedTemplate));
  } finally {
    await audit.close();
    await site.close();
  }
}

/** Members as `str.format` of Python reads them; what fails gives a welcome without a name. */
const formatted = (text: string): string => {
  const members: Record<string, string> = { name: 'Ada', room: '3b', '__class__.__class__.__name__': 'type' };
  let fails = false;
  const made = text.replace(/\{(\w*)\.?([\w.]*)\}/g, (_, name: string, path: string) => {
    fails ||= name !== 'guest' || members[path] === undefined;
    return members[path] ?? '';
  });
  return fails || /[{}]/.test(made) ? 'Welcome!' : made;
};

test('a format string is found by a member of its own placeholder, and not where placeholders are replaced by name', async () => {
  assert.equal(await welcomed(formatted), ['POST /settings welcome']);
  const replaced = (text: string) => text.replaceAll('{guest.name}', 'Ada').replaceAll('{guest.room}', '3b');
  assert.equal(await welcomed(replaced), []);
});

test.run();
