import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLoginForm } from '../../../../workflows/checks/inputs/reading-requests.ts';
import type { FormSurface } from '../../../../workflows/model/surface.ts';

const test = suite('forms that let somebody in');

type Words = { path: string; label?: string; fields: string[]; enctype?: string };

/** Fields are "name" or "name:type" or "name:type=value". */
const formOf = ({ path, label = '', fields, enctype = 'application/x-www-form-urlencoded' }: Words): FormSurface => ({
  ...{ pageUrl: 'https://shop.example/', action: `https://shop.example${path}`, method: 'POST', enctype, label },
  fields: fields.map((field) => {
    const [, name = '', type = 'text', value = ''] = /^(\w+)(?::(\w+))?(?:=(.*))?$/.exec(field) ?? [];
    return { name, type, value };
  }),
});
test('a login has a name and one password, and says so', () => {
  assert.ok(isLoginForm(formOf({ path: '/account/login', fields: ['user', 'pass:password'] })));
  assert.ok(isLoginForm(formOf({ path: '/', label: 'Sign in', fields: ['mail:email', 'pass:password'] })));
  assert.not(isLoginForm(formOf({ path: '/register', label: 'Log in', fields: ['user', 'pass:password'] })));
  assert.not(isLoginForm(formOf({ path: '/login', fields: ['user', 'pass:password', 'again:password'] })));
  assert.not(isLoginForm(formOf({ path: '/profile', fields: ['user', 'pass:password'] })));
});

test.run();
