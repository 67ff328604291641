import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kindOfForm } from '../../../../workflows/probe/gate/structure.ts';

const test = suite('forms with a name and a password, and no word for a login');

type Field = { name: string; type: string; value: string };
const text = (name: string, value = ''): Field => ({ name, type: 'text', value });
const password: Field = { name: 'pw', type: 'password', value: '' };

const kindOf = (label: string, { path = '/', page = '', fields = [text('user'), password] } = {}): string => {
  const [action, pageUrl] = [`http://mill.example${path}`, `http://mill.example${page || path}`];
  return kindOfForm({ action, pageUrl, method: 'POST', fields, label }).kind;
};

for (const label of ['Los', 'Board', 'Open', 'Unlock', 'Connect', 'Wejdź', 'Enter the lab', 'Valider'])
  test(`"${label}" on the first page of a site lets somebody in`, () => assert.is(kindOf(label), 'login'));

test('"Sign on" lets in wherever it stands, and whatever the name is called', () => {
  assert.is(kindOf('Sign on', { path: '/boats', fields: [text('name'), password] }), 'login');
  assert.is(kindOf('Go', { path: '/signon.php', fields: [text('name'), password] }), 'login');
});

test('on the first page a door is opened by a name, and a new thing gets one', () => {
  const fields = [text('name'), password];
  assert.is(kindOf('Open', { fields }), 'login');
  assert.is(kindOf('Open the door', { fields }), 'login');
  assert.is.not(kindOf('Open a room', { fields }), 'login');
  assert.is.not(kindOf('Open', { path: '/rooms', fields }), 'login');
});

test('it is the page that counts, and not where the form goes', () => {
  assert.is(kindOf('Come aboard', { path: '/board', page: '/' }), 'login');
  assert.is.not(kindOf('Come aboard', { path: '/register', page: '/' }), 'login');
  assert.is.not(kindOf('Come aboard', { path: '/board', page: '/boats' }), 'login');
});

test('elsewhere a button with a word of its own may let somebody in', () => {
  const at = (label: string, name = 'reader') =>
    kindOf(label, { path: '/api/dive', page: '/dive', fields: [text(name), password] });
  assert.equal(
    ['Dive in', 'Board', 'Come aboard'].map((label) => at(label)),
    ['entrance', 'entrance', 'entrance'],
  );
  for (const label of ['Become a reader', 'Save', 'Create', 'Join', 'Start free trial', 'Change', 'Members'])
    assert.is.not(at(label), 'entrance', label);
  assert.is.not(at('Connect', 'ssid'), 'entrance');
});

test('where a page is for people of one kind, "Enter" may let one of them in', () => {
  assert.is(kindOf('Enter', { path: '/staff' }), 'entrance');
  assert.is(kindOf('Access', { path: '/members/' }), 'entrance');
  assert.is(kindOf('Enter', { path: '/staff', fields: [text('name'), password] }), 'sensitive');
  for (const label of ['Come aboard', 'Submit', 'Add'])
    assert.is(kindOf(label, { path: '/staff' }), 'sensitive', label);
});

test('what people are called there may have any name', () =>
  assert.is(kindOf('Show my card', { fields: [text('reader'), password] }), 'login'));

test('a form for whoever has lost a password is left to the checks of resets', () => {
  assert.is(kindOf('Send link', { path: '/lost', fields: [text('user')] }), 'sensitive');
  assert.is.not(kindOf('Find', { path: '/lost', fields: [text('thing')] }), 'sensitive');
});

test('the name may be filled in there', () =>
  assert.is(kindOf('Submit', { fields: [text('user', 'admin'), password] }), 'login'));

test('a button that says nothing lets in where the address is for whoever may do more', () => {
  assert.is(kindOf('Submit', { path: '/admin.php' }), 'login');
  assert.is(kindOf('Submit', { path: '/portal/' }), 'login');
  assert.is(kindOf('Submit', { path: '/boats' }), 'entrance');
});

for (const label of [
  'Join',
  'Create',
  'Save',
  'Speichern',
  "S'inscrire",
  'Utwórz konto',
  'Add user',
  '注册',
  'Connect database',
  'Get started',
  'Start for free',
  'Try it',
  'Jetzt mitmachen',
  'Commencer',
])
  test(`"${label}" makes or changes an account`, () => assert.is.not(kindOf(label), 'login'));

for (const label of [
  'Encrypt',
  'Store',
  'Book',
  'Set PIN',
  'Generate',
  'Hand over',
  'Sign',
  'Log',
  'Hinterlegen',
  'Réserver',
])
  test(`"${label}" does something with a name and a password`, () => {
    assert.is(kindOf(label), 'sensitive');
    assert.is(kindOf(label, { path: '/lockers' }), 'sensitive');
  });

test('a call of an interface by a verb for coming in lets somebody in', () => {
  assert.is(kindOf('', { path: '/api/connect' }), 'login');
  assert.is(kindOf('', { path: '/api/in' }), 'login');
  assert.is.not(kindOf('', { path: '/api/users' }), 'login');
  assert.is.not(kindOf('', { path: '/api/connect', fields: [text('host'), password] }), 'login');
});

test('beside a name that is filled in, an empty secret may be a new one where it is not shown', () => {
  const open = text('pw');
  const at = (fields: Field[], label = 'Send') => kindOf(label, { path: '/desk/4', fields });
  assert.is(at([text('user', 'kim'), open]), 'entrance');
  assert.is(at([text('user', 'kim'), password]), 'sensitive');
  assert.is(at([text('user', 'kim'), open], 'Change'), 'sensitive');
  assert.is(at([text('user', 'kim'), open], 'Save'), 'sensitive');
});

test('further fields, another name and other pages are no login', () => {
  assert.is.not(kindOf('Los', { fields: [text('user'), password, text('city')] }), 'login');
  assert.is.not(kindOf('Los', { fields: [text('name'), password] }), 'login');
  assert.is.not(kindOf('Los', { fields: [text('ssid'), password] }), 'login');
  assert.is.not(kindOf('Los', { path: '/wifi' }), 'login');
});

test.run();
