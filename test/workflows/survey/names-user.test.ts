import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { namesUser } from '../../../workflows/survey/names-user.ts';

const test = suite('what scripts keep in the browser');

const kept = (local: Record<string, string>) => namesUser({ 'http://site.example': { local, session: {} } });

test('names a user by a token, a record or the name that it has', () => {
  for (const entries of [
    { token: 'abcdefgh-1' },
    { isLoggedIn: '1' },
    { userRole: 'admin' },
    { state: '{"profile":{"name":"ada"}}' },
    { k: 'q8fh2a-9vv1m4-77x' },
  ])
    assert.ok(kept(entries), JSON.stringify(entries));
});

test('names none by the look of a page', () => {
  const look = { sidebar_scrollTop: '0', theme: 'dark', 'hidden-column-3': '1', open: '{}' };
  assert.not.ok(kept(look));
  assert.not.ok(namesUser(undefined));
});

test.run();
