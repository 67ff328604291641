import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { confirmationsIn, shownIn } from '../../../../workflows/checks/access/shown-credentials.ts';

const test = suite('what a page shows to whoever has registered');

const request = { method: 'POST', url: 'http://club.example/join', headers: [] };
const page = (text: string) => ({ text, request }) as unknown as Parameters<typeof confirmationsIn>[0];

for (const [text, password] of [
  ['<p>Your password is: <code>kD3-x9Qa</code></p>', 'kD3-x9Qa'],
  ['<p>Please note your new password: <b>tulip-otter-42</b>. Keep it safe.</p>', 'tulip-otter-42'],
  ['{"user":{"id":7,"temporaryPassword":"x"},"password":"u7Fg22pq"}', 'u7Fg22pq'],
  ['<p>Ihr Passwort lautet "Hm4tTz81".</p>', 'Hm4tTz81'],
] as const)
  test(`a password that was made: ${text}`, () => {
    assert.is(shownIn(page(text), 'password')[0], password);
  });

for (const text of [
  '<p>Your password is too short.</p>',
  '<form><label>Password <input type=password name=p></label><button>Log in</button></form>',
  '<p>We sent a password to your address.</p>',
])
  test(`none: ${text}`, () => {
    assert.equal(shownIn(page(text), 'password'), []);
  });

test('names, codes and invitations', () => {
  assert.equal(shownIn(page('<p>Your customer number is 100-2033.</p>'), 'name'), ['100-2033']);
  assert.equal(shownIn(page('<p>Your confirmation code: <b>4821</b></p>'), 'code'), ['4821']);
  assert.equal(shownIn(page('<p>The invitation code for this season is <b>ROSE-2291</b>.</p>'), 'invitation'), [
    'ROSE-2291',
  ]);
  assert.equal(shownIn(page('<p>Ask a member for an invitation code.</p>'), 'invitation'), []);
});

test('addresses that confirm an account', () => {
  const shown = (text: string) => confirmationsIn(page(text));
  assert.equal(shown('<a href="/confirm?token=8f3a99c0d1&amp;u=7">confirm</a>'), [
    'http://club.example/confirm?token=8f3a99c0d1&u=7',
  ]);
  assert.equal(shown('{"link":"http://club.example/activate/8f3a99c0d1"}'), [
    'http://club.example/activate/8f3a99c0d1',
  ]);
  assert.equal(shown('<a href="http://other.example/confirm/8f3a99c0d1">x</a> <a href="/confirm">how</a>'), []);
  assert.equal(shown('<a href="/orders/8f3a99c0d1">order</a>'), []);
});

test.run();
