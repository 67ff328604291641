import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findMarker, holds, otherMarkers } from '../../../workflows/login/marker.ts';

const markers = suite('login marker');
const ok = (text: string) => ({ status: 200, text });

markers('a link to log out is the best marker', () => {
  const mine = ok('<p>Hello alice</p><a href="/logout">Log out</a>');
  assert.is(findMarker([mine, mine], [ok('<a href="/login">Log in</a>')], ['alice']), '/logout');
});

markers('the username is the marker when there is nothing better', () => {
  assert.is(findMarker([ok('<b>Hi alice!</b>')], [ok('<b>Hi!</b>')], ['alice']), 'alice');
});

markers('what changes with each load is no marker', () => {
  const anonymous = ok('<i>same</i>');
  assert.is(findMarker([ok('<i>same</i><i>abcd1</i>'), ok('<i>same</i><i>abcd2</i>')], [anonymous]), undefined);
});

markers('what anonymous visitors see in one of their loads is no marker', () => {
  const mine = ok('<i>Offer of the day</i>');
  assert.is(findMarker([mine, mine], [ok('<i>nothing</i>'), mine]), undefined);
});

markers('answers of a JSON interface are compared too', () => {
  const mine = ok('{"user":"alice","role":"admin"}');
  assert.ok(findMarker([mine, mine], [{ status: 401, text: '{"error":"unauthorised"}' }]));
});

const refusal = { status: 401, text: '{"error":"who are you?"}' };
for (const [what, mine, others, expected] of [
  ['empty list of an interface that refuses others', ok('[]\n'), refusal, '['],
  ['list of one number', ok('[7]'), refusal, '['],
  ['empty list that others are shown', ok('[]'), ok('[]'), undefined],
  ['empty list of an interface that fails for others', ok('[]'), { status: 500, text: 'oops' }, undefined],
  ['list whose refusal is one as well', ok('[]'), { status: 403, text: '["not you"]' }, undefined],
  ['empty object', ok('{}'), refusal, undefined],
] as const)
  markers(`the ${what} has ${expected ? 'its first sign as' : 'no'} marker`, () => {
    assert.is(findMarker([mine, mine], [others]), expected);
  });

markers('a login that gives an error page has no marker', () => {
  const broken = { status: 500, text: '<p>Log out</p>' };
  assert.is(findMarker([broken, broken], [ok('<p>Log in</p>')]), undefined);
});

markers('further texts of the session stand beside the marker, not in it or around it', () => {
  const mine = ok('<b>alice</b><a href="/logout">Log out</a><tr id="row_logout_all"><td>Sign out of /logout</td></tr>');
  const others = otherMarkers('/logout', [mine, mine], [ok('<a href="/login">Log in</a>')], ['alice']);
  assert.equal(others, ['alice', 'Log out', 'row_logout_all']);
  assert.equal(otherMarkers('alice', [ok('alice')], [ok('nobody')], ['alice']), []);
});

markers('a marker holds when every answer of the identity has it and none of the others', () => {
  assert.is(holds('alice', [ok('alice')], [ok('nobody')]), true);
  assert.is(holds('alice', [ok('alice'), ok('nobody')], []), false);
  assert.is(holds('alice', [ok('alice')], [ok('alice')]), false);
  assert.is(holds('', [ok('')], []), false);
  assert.is(holds('alice', [], []), false);
});

markers.run();
