import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { anyEntrance, loginAction, loginsOf } from '../../../../workflows/checks/logins/login.ts';
import type { FormSurface, InputSurface } from '../../../../workflows/model/surface.ts';

const test = suite('logins of a surface');

/** Inputs of a link, as the survey gives them. */
function linked(url: string): InputSurface[] {
  const pairs = [...new URL(url).searchParams];
  return pairs.map(([name, value], at) => ({
    ...{ method: 'GET', url, route: new URL(url).pathname, parameter: name, in: 'query' as const, sample: value },
    others: pairs.filter((_, other) => other !== at).map(([other, text]) => ({ name: other, value: text })),
  }));
}

const loginsAt = (url: string) => loginsOf({ forms: [], inputs: linked(url) });

test('a link to a login with a name and a password is one, each of its parameters once', () => {
  const logins = loginsAt('http://site.example/login?username=&password=&password=x');
  assert.equal(
    logins.map(({ nameField, passwordField, format }) => [nameField, passwordField, format]),
    [['username', 'password', 'query']],
  );
});

for (const url of [
  'http://site.example/login?password=x',
  'http://site.example/account/reset?user=lena&password=x',
  'http://site.example/account/change?password=x&new_password=y',
  'http://site.example/login?user=lena',
]) {
  test(`${url} is none`, () => {
    assert.equal(loginsAt(url), []);
  });
}

test('what is typed in as a password in a form that script sends is one, whatever it is called', () => {
  const page = 'http://site.example/';
  const url = `${page}api/shift`;
  const inputs = ['who', 'word'].map(
    (member): InputSurface => ({
      ...{ method: 'POST', url, route: '/api/shift', parameter: member, in: 'body', sample: '', others: [] },
      ...{ contentType: 'application/json', json: { body: '{"who":"","word":""}', pointer: `/${member}` } },
    }),
  );
  const form = (label: string): FormSurface => ({
    ...{ pageUrl: page, action: page, method: 'GET', enctype: 'application/x-www-form-urlencoded', label },
    fields: [
      { name: 'who', type: 'text', value: '' },
      { name: 'word', type: 'password', value: '' },
    ],
  });
  const [login] = loginsOf({ forms: [form('Start shift')], inputs });
  assert.equal([login?.nameField, login?.passwordField], ['who', 'word']);
  assert.equal(loginsOf({ forms: [form('Create account')], inputs }), []);
  assert.equal(loginsOf({ forms: [], inputs }), []);
});

test('what script sends of a field for passwords is one without a form, where it may let somebody in', () => {
  const loginsOfJson = (pin: string, kinds?: typeof anyEntrance) => {
    const body = JSON.stringify({ mail: 'audit@example.com', pin });
    const inputs = ['mail', 'pin'].map(
      (member): InputSurface => ({
        ...{ method: 'POST', url: 'http://site.example/api/open', route: '/api/open', parameter: member, in: 'body' },
        ...{ sample: '', others: [], contentType: 'application/json', json: { body, pointer: `/${member}` } },
      }),
    );
    return loginsOf({ forms: [], inputs }, kinds).map(({ nameField, passwordField }) => [nameField, passwordField]);
  };
  assert.equal(loginsOfJson('Audit-pass-1', anyEntrance), [['mail', 'pin']]);
  assert.equal(loginsOfJson('Audit-pass-1'), []);
  assert.equal(loginsOfJson('10115', anyEntrance), []);
});

test('a mutation that lets somebody in is one, under the name that a page gives it and that of the schema', () => {
  const url = 'http://site.example/graphql';
  const inputs = ['Login', 'login'].flatMap((operation) => {
    const query = `mutation ${operation}($name: String!, $password: String!) { login(name: $name, password: $password) }`;
    const body = JSON.stringify({ query, variables: { name: '1', password: '1' } });
    return ['name', 'password'].map(
      (member): InputSurface => ({
        ...{ method: 'POST', url, route: `/graphql#${operation}`, parameter: `variables.${member}`, in: 'body' },
        ...{
          sample: '1',
          others: [],
          contentType: 'application/json',
          json: { body, pointer: `/variables/${member}` },
        },
      }),
    );
  });
  const [login, ...others] = loginsOf({ forms: [], inputs });
  assert.equal([login?.nameField, login?.passwordField, login?.format, others.length], ['name', 'password', 'json', 0]);
  const sent = JSON.parse(String(login && loginAction(login, 'kim', 'kim-2031')?.body));
  assert.equal(sent.variables, { name: 'kim', password: 'kim-2031' });
});

test('a password grant of OAuth 2.0 is a login, whose client is left empty where only a document describes it', () => {
  const fields = ['grant_type', 'username', 'password', 'scope', 'client_id', 'client_secret'];
  const url = 'http://site.example/token';
  const inputs = fields.map(
    (parameter): InputSurface => ({
      isDescribed: true,
      ...{ method: 'POST', url, route: '/token', parameter, in: 'body', sample: '' },
      contentType: 'application/x-www-form-urlencoded',
      others: fields.filter((other) => other !== parameter).map((name) => ({ name, value: 'audit' })),
    }),
  );
  const [login, ...others] = loginsOf({ forms: [], inputs });
  assert.equal([login?.nameField, login?.passwordField, others.length], ['username', 'password', 0]);
  const sent = login && new URLSearchParams(loginAction(login, 'kim', 'kim-2031')?.body);
  assert.equal(Object.fromEntries(sent ?? []), {
    ...{ grant_type: 'password', username: 'kim', password: 'kim-2031' },
    ...{ scope: '', client_id: '', client_secret: '' },
  });
  const seen = inputs.map(({ isDescribed, ...input }) => input);
  const [captured] = loginsOf({ forms: [], inputs: seen });
  const resent = captured && new URLSearchParams(loginAction(captured, 'kim', 'kim-2031')?.body);
  assert.equal([resent?.get('client_id'), resent?.get('grant_type')], ['audit', 'password']);
});

test.run();
