import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LoginSchema } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { secretsOf } from '../../../workflows/login/settings.ts';

const test = suite('secrets of a login');

const secrets = (username: string, password: string): string[] =>
  secretsOf(create(LoginSchema, { kind: { case: 'form', value: { url: '/login', username, password } } }));

test('a password is a secret', () => {
  for (const password of ['oars-lena-77', 'Password123!', 'administration-of-all', 'kestrel', '4f-7Q!x', 'my password'])
    assert.equal(secrets('lena', password), [password]);
});

test('a password that everybody tries first, or that is the name, is none: it stands in words and addresses', () => {
  for (const [username, password] of [
    ['admin', 'admin'],
    ['root', 'password'],
    ['lena', 'Lena'],
    ['guest', '123456'],
  ] as const)
    assert.equal(secrets(username, password), []);
});

test('a cookie that is a choice is no secret, and a session is', () => {
  const given = (value: string) => secretsOf(create(LoginSchema, { kind: { case: 'cookie', value } }));
  assert.equal(given('lang=en; ok=1'), []);
  assert.equal(given('lang=en; sid=q8w7e6r5t4'), ['lang=en; sid=q8w7e6r5t4', 'q8w7e6r5t4']);
});

test.run();
