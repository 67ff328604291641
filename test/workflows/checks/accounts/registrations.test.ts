import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AccountLogin } from '../../../../workflows/checks/accounts/account-login.ts';
import { newAccountLogin } from '../../../../workflows/checks/accounts/new-account-login.ts';
import { labelledInputs } from '../../../../workflows/checks/accounts/registering-labels.ts';
import { registrationRequest, registrationsIn } from '../../../../workflows/checks/accounts/registrations.ts';
import { loginAction, loginsOf } from '../../../../workflows/checks/logins/login.ts';
import type { FormSurface, InputSurface } from '../../../../workflows/model/surface.ts';
import { bodyInputs } from '../../../../workflows/survey/body-inputs.ts';

const test = suite('requests that open an account');

const inputsOf = (url: string, names: readonly string[]): InputSurface[] =>
  names.map((parameter) => ({
    ...{ url, method: 'POST', in: 'body', parameter, sample: '', route: new URL(url).pathname },
    contentType: 'application/x-www-form-urlencoded',
    others: names.filter((name) => name !== parameter).map((name) => ({ name, value: '' })),
  }));

test('a registration whose password is called "pw" is filled in, also where it is repeated', () => {
  const [registration] = registrationsIn(inputsOf('https://diary.example/signup', ['name', 'pw', 'pw2']));
  assert.ok(registration);
  const { body } = registrationRequest(registration, { name: 'ann', mail: 'ann@diary.example', password: 'Aa1-ann' });
  assert.match(body ?? '', /(?=.*name=ann)(?=.*pw=Aa1-ann)(?=.*pw2=Aa1-ann)/);
});

test('a password is repeated in a field whose name says that alone, and nothing is sent twice', () => {
  const [registration] = registrationsIn(
    inputsOf('https://diary.example/join', ['email', 'password', 'confirm', 'role']),
  );
  assert.ok(registration);
  const account = { name: 'ann', mail: 'ann@diary.example', password: 'Aa1-ann' };
  const { body } = registrationRequest(registration, account, [{ field: 'role', value: 'admin' }]);
  assert.equal([...new URLSearchParams(body ?? '')].map(([name, value]) => `${name}=${value}`).sort(), [
    'confirm=Aa1-ann',
    'email=ann@diary.example',
    'password=Aa1-ann',
    'role=admin',
  ]);
});

test('one request is known in parts from a page that sends it and from a document that describes it', () => {
  const url = 'https://diary.example/api/register';
  const input = (parameter: string, body: string): InputSurface => ({
    ...{ url, method: 'POST', in: 'body', parameter, sample: 'a', route: '/api/register', others: [] },
    ...{ contentType: 'application/json', json: { body, pointer: `/${parameter}` } },
  });
  const described = input('username', '{"username":"a","password":""}');
  const sent = {
    ...input('password', '{"username":"test","password":"b"}'),
    page: { url: 'https://diary.example/', tokens: [] },
  };
  const [registration, ...others] = registrationsIn([described, sent]);
  assert.ok(registration);
  assert.is(others.length, 0);
  const { body } = registrationRequest(registration, { name: 'ann', mail: 'ann@diary.example', password: 'Aa1-ann' });
  assert.is(body, '{"username":"ann","password":"Aa1-ann"}');
  const elsewhere = { ...sent, url: 'https://diary.example/api/users/register', route: '/api/users/register' };
  assert.equal(registrationsIn([described, elsewhere]), []);
});

test('what is sent along is called like the fields beside it', () => {
  const sent = (names: readonly string[]) => {
    const [registration] = registrationsIn(inputsOf('https://diary.example/users', names));
    assert.ok(registration);
    const account = { name: 'ann', mail: 'ann@diary.example', password: 'Aa1-ann' };
    const { body } = registrationRequest(registration, account, [{ field: 'admin', value: true }]);
    return [...new URLSearchParams(body ?? '')].find(([, value]) => value === 'true')?.[0];
  };
  assert.is(sent(['user[email]', 'user[password]', 'commit']), 'user[admin]');
  assert.is(sent(['Input.Email', 'Input.Password']), 'Input.admin');
  assert.is(sent(['email', 'password']), 'admin');
});

test('a new account keeps the session that the page of the login gave, where logging in sets none', () => {
  const field = (name: string, holds: 'hidden' | 'username' | 'password') => ({ name, holds });
  const url = 'https://diary.example/session';
  const login = newAccountLogin(
    {
      steps: [
        {
          ...{ url, method: 'POST', encoding: 'form', pageUrl: url },
          fields: [field('csrf', 'hidden'), field('name', 'username'), field('password', 'password')],
        },
      ],
      sends: { cookies: ['sid'], headers: [] },
      page: { url, cookies: ['sid'], answerCookies: [] },
    } as unknown as AccountLogin,
    { name: 'ann', mail: 'ann@diary.example', password: 'Aa1-ann' },
    'session1',
  );
  assert.equal(login?.headers, [['Cookie', 'sid=‹session1given1›']]);
});

test('a registration is known by its address, also where people apply for membership', () => {
  const found = (path: string) => registrationsIn(inputsOf(`https://diary.example${path}`, ['login', 'password']));
  assert.equal(
    ['/apply', '/members/apply', '/sign_up', '/subscribe', '/enter', '/coupons/apply-code'].map(
      (path) => found(path).length,
    ),
    [1, 1, 1, 1, 0, 0],
  );
});

test('a registration is known by the button that sends it, of a form or of a script', () => {
  const [url, names] = ['https://diary.example/api/people', ['name', 'email', 'password']];
  const [inputs, pageUrl] = [inputsOf(url, names), 'https://diary.example/'];
  const called = (control: string) =>
    registrationsIn(
      labelledInputs({ inputs: [], heldInputs: inputs, forms: [], calls: [{ url, method: 'POST', pageUrl, control }] }),
    );
  assert.equal(
    ['Join', 'Sign up', 'Apply now', 'Create my account!', 'Registrieren', 'Créer un compte', '注册'].map(
      (control) => called(control).length,
    ),
    [1, 1, 1, 1, 1, 1, 1],
  );
  assert.equal(
    ['Save', 'Join the chat', 'Apply filter', 'Log in'].map((control) => called(control).length),
    [0, 0, 0, 0],
  );
  const form = { pageUrl, action: url, method: 'POST', enctype: '', fields: [], label: 'Join now' } as const;
  assert.is(registrationsIn(labelledInputs({ inputs, forms: [{ ...form, fields: [] }], calls: [] })).length, 1);
  const login = inputsOf('https://diary.example/session', ['name', 'password']);
  const elsewhere = { ...form, action: 'https://diary.example/session', fields: [] };
  assert.is(registrationsIn(labelledInputs({ inputs: login, forms: [elsewhere], calls: [] })).length, 0);
});

test('a login whose password is called "pw" is known as one', () => {
  const [login] = loginsOf({ forms: [], inputs: inputsOf('https://diary.example/login', ['name', 'pw']) });
  assert.equal([login?.nameField, login?.passwordField], ['name', 'pw']);
});

test('a registration beside the login is known where a document names it by its route', () => {
  const inputs = inputsOf('https://fleet.example/auth/register', ['username', 'password']);
  const titled = (title: string) => registrationsIn(inputs.map((input) => ({ ...input, title }))).length;
  assert.equal([titled('register_auth_register_post Register'), titled('auth token')], [1, 0]);
});

test('name and password that are sent for a token are a login, and what makes a new one of an account is none', () => {
  const loginsAt = (path: string) =>
    loginsOf({ forms: [], inputs: inputsOf(`https://fleet.example${path}`, ['username', 'password']) }).length;
  assert.equal(['/token', '/api/token/', '/jwt/create/', '/reset/token', '/account'].map(loginsAt), [1, 1, 1, 0, 0]);
});

test('programs of one address say in a parameter which part is the registration', () => {
  const at = (view: string) => inputsOf(`https://diary.example/index.php?view=${view}`, ['name', 'pw']);
  const found = registrationsIn(['login', 'register', 'settings', 'search'].flatMap(at));
  assert.equal(
    found.map(({ url }) => url),
    ['https://diary.example/index.php?view=register'],
  );
});

test('logins and registrations are known by the procedure that a body calls, and are filled in where their values stand', () => {
  const call = (method: string, params: object) =>
    bodyInputs({
      ...{ method: 'POST', url: 'https://yard.example/rpc', contentType: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }).inputs;
  const inputs = [
    ...call('parts.find', { text: 'a' }),
    ...call('user.login', { name: 'a', pw: 'a' }),
    ...call('user.register', { name: 'a', mail: 'a', pw: 'a' }),
  ];
  const [login, ...others] = loginsOf({ forms: [], inputs });
  assert.equal(
    [login?.input.route, login?.nameField, login?.passwordField, others.length],
    ['/rpc#user.login', 'name', 'pw', 0],
  );
  const sent = login && loginAction(login, 'ann', 'tulip');
  assert.equal(JSON.parse(String(sent?.body)).params, { name: 'ann', pw: 'tulip' });
  assert.equal(
    registrationsIn(inputs).map(({ route }) => route),
    ['/rpc#user.register'],
  );
});

const fieldsOf = (kinds: Record<string, string>) =>
  Object.entries(kinds).map(([name, type]) => ({ name, type, value: '' }));
const formOf = (url: string, kinds: Record<string, string>): FormSurface => ({
  ...{ pageUrl: url, action: url, method: 'POST', enctype: 'application/x-www-form-urlencoded', label: 'Go' },
  fields: fieldsOf(kinds),
});
const account = { name: 'ann', mail: 'ann@diary.example', password: 'Aa1-ann' };
const foundIn = (url: string, kinds: Record<string, string>, title = '') =>
  registrationsIn(
    labelledInputs({
      inputs: inputsOf(url, Object.keys(kinds)),
      forms: [formOf(url, kinds)],
      calls: [],
      pages: [{ ...{ url, title, status: 200, contentType: 'text/html', source: 'HTML' }, ...noParts }],
    }),
  );
const noParts = { headers: [], setCookies: [], scripts: [] };

test('fields of a registration are known by their kinds where their names say nothing', () => {
  const [found] = foundIn('https://diary.example/roll/new', { rower: 'text', knock: 'password', knock2: 'password' });
  assert.ok(found);
  const { body } = registrationRequest(found, account);
  assert.match(body ?? '', /(?=.*rower=ann)(?=.*knock=Aa1-ann)(?=.*knock2=Aa1-ann)/);
});

test('a registration is known by the title of its page', () => {
  const kinds = { rower: 'text', knock: 'password' };
  assert.is(foundIn('https://diary.example/roll/new', kinds, 'Become a member · Rowing').length, 1);
  assert.is(foundIn('https://diary.example/roll/new', kinds, 'Members · Rowing').length, 0);
});

test('two passwords that change one, or set a product up, are no registration', () => {
  const kinds = { user: 'text', old: 'password', new: 'password' };
  assert.is(foundIn('https://diary.example/password/change', kinds).length, 0);
  assert.is(foundIn('https://diary.example/install', kinds).length, 0);
});

test('what script sends as JSON asks for what was typed in', () => {
  const url = 'https://diary.example/api/owners';
  const { inputs } = bodyInputs({
    ...{ method: 'POST', url, contentType: 'application/json' },
    body: JSON.stringify({ rower: 'test', knock: 'Audit-pass-1', boat: 'test' }),
  });
  const call = { method: 'POST', url, pageUrl: 'https://diary.example/roll', control: 'Create account' };
  const [found] = registrationsIn(labelledInputs({ inputs, forms: [], calls: [call] }));
  assert.ok(found);
  assert.equal(JSON.parse(registrationRequest(found, account).body ?? ''), {
    ...{ rower: 'ann', knock: 'Aa1-ann', boat: 'test' },
  });
});

test('a search is no registration', () => {
  assert.equal(registrationsIn(inputsOf('https://diary.example/signup', ['q'])), []);
});

test('a form that makes something of what a login asks for is a registration, whatever it is called', () => {
  const found = (path: string, label: string, logins: string[] = ['holder', 'code']) => {
    const fields = ['holder', 'code'].map((name, index) => ({
      name,
      type: index === 0 ? 'text' : 'password',
      value: '',
    }));
    const formOf = (at: string, names: string[]): FormSurface => ({
      ...{ pageUrl: `https://diary.example${at}`, action: `https://diary.example${at}`, method: 'POST', enctype: '' },
      ...{ label, fields: fields.filter(({ name }) => names.includes(name)) },
    });
    const inputs = inputsOf(`https://diary.example${path}`, ['holder', 'code']);
    const forms = [formOf(path, ['holder', 'code']), { ...formOf('/card', logins), label: 'Open' }];
    return registrationsIn(labelledInputs({ inputs, forms, calls: [] })).length;
  };
  assert.equal([found('/new', 'OK'), found('/cards', 'Get a card'), found('/cards', 'Open')], [1, 1, 0]);
  assert.is(found('/new', 'OK', ['code']), 0);
});

test('a form that asks for more than the login beside it is a registration, unless it is of those who have an account', () => {
  const found = (path: string, label: string, names: string[], logins = ['mail', 'code']) => {
    const typeOf = (name: string) => (name === 'mail' ? 'email' : name === 'code' ? 'password' : 'text');
    const formOf = (at: string, of: string[], label: string): FormSurface => ({
      ...{ pageUrl: `https://stall.example${at}`, action: `https://stall.example${at}`, method: 'POST', enctype: '' },
      ...{ label, fields: of.map((name) => ({ name, type: typeOf(name), value: '' })) },
    });
    const inputs = inputsOf(`https://stall.example${path}`, names);
    const forms = [formOf(path, names, label), formOf('/door', logins, 'Go')];
    return registrationsIn(labelledInputs({ inputs, forms, calls: [] })).length;
  };
  const all = ['stall', 'mail', 'code'];
  assert.equal([found('/stall', 'Open', all), found('/stall', 'Open', ['mail', 'code'])], [1, 0]);
  assert.equal(
    [found('/stall', 'Sign in', all), found('/login', 'Open', all), found('/stall', 'Open', all, ['code'])],
    [0, 0, 0],
  );
});

test.run();
