import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { acceptedIn, sentForm, sentLogin } from '../../../workflows/survey/sent-forms.ts';

const test = suite('a form that script puts together');

const sent = (body: string, type = 'multipart/form-data; boundary=b', accept?: string) =>
  sentForm(
    {
      url: 'http://x.localhost/import',
      method: 'POST',
      refused: true,
      headers: [['Content-Type', type]],
      body,
      control: 'Check',
    },
    'http://x.localhost/lists#top',
    accept,
  );

test('is one with its files and fields', () => {
  const form = sent(
    '--b\r\nContent-Disposition: form-data; name="sheet"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n1,2\r\n--b\r\nContent-Disposition: form-data; name="mode"\r\n\r\ndry\r\n--b\r\nContent-Disposition: form-data; name="note"\r\n\r\ntest\r\n--b--\r\n',
  );
  assert.equal(form, {
    ...{ pageUrl: 'http://x.localhost/lists', action: 'http://x.localhost/import', method: 'POST' },
    ...{ enctype: 'multipart/form-data', label: 'Check' },
    fields: [
      { name: 'sheet', type: 'file', value: '' },
      { name: 'mode', type: 'text', value: 'dry' },
      { name: 'note', type: 'text', value: '' },
    ],
  });
});

test('takes the kinds of files that the field of the page says', () => {
  const body = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.xml"\r\n\r\n1\r\n--b--\r\n';
  assert.is(sent(body, 'multipart/form-data; boundary=b', '.xml,.zip')?.fields[0]?.accept, '.xml,.zip');
  const field = '<p><input id="f" type="file" accept=".xml,.zip"></p><input type="text" accept=".exe">';
  assert.is(acceptedIn([field, field]), '.xml,.zip');
  for (const states of [[field, '<input type="file" accept=".png">'], ['<input type="file">'], []])
    assert.is(acceptedIn(states), undefined);
  assert.is(acceptedIn(['<input type="file" '.repeat(50_000)]), undefined);
});

test('is none of other requests, nor of one without fields', () => {
  assert.is(sent('a=1', 'application/x-www-form-urlencoded'), undefined);
  assert.is(sent('--b--'), undefined);
  assert.is(sent('content-disposition: form-data; name="'.repeat(20_000)), undefined);
});

const sentBy = (control: string, members: object, route = '') =>
  sentLogin(
    {
      ...{ url: 'http://x.localhost/door', method: 'POST', refused: true, control },
      headers: [['Content-Type', 'application/json; charset=utf-8']],
      body: JSON.stringify(members),
    },
    `http://x.localhost/${route}`,
  );

test('is a login with a secret alone, by what stands on its control', () => {
  const form = sentBy('Open', { pin: 'Audit-pass-1', v: 2 });
  assert.equal(form?.fields, [
    { name: 'pin', type: 'password', value: '' },
    { name: 'v', type: 'hidden', value: '' },
  ]);
  assert.equal([form?.label, form?.enctype], ['Open', 'application/json']);
});

test('is no login where it sets a secret, or where nothing secret was typed in', () => {
  assert.is(sentBy('Save', { pin: 'Audit-pass-1' }), undefined);
  assert.is(sentBy('Open', { place: 'test' }), undefined);
});

test('may let somebody in where its control has a word of its own, and not where that makes an account', () => {
  const members = { badge: 'test', phrase: 'Audit-pass-1' };
  assert.equal(
    sentBy('Knock', members)?.fields.map(({ type }) => type),
    ['text', 'password'],
  );
  for (const control of ['Create', 'Become a member', 'Save']) assert.is(sentBy(control, members), undefined, control);
});

test('is none in a view of the first page in which somebody registers', () => {
  const members = { badge: 'test', phrase: 'Audit-pass-1' };
  const isLogin = (route: string) => sentBy('Continue', members, route) !== undefined;
  assert.equal(['', '#/', '#/login', '#/dive'].map(isLogin), [true, true, true, true]);
  assert.equal(['#/signup', '#!/register', '#new-account'].map(isLogin), [false, false, false]);
});

test.run();
