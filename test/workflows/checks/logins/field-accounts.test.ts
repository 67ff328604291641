import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pairsInFields } from '../../../../workflows/checks/logins/field-accounts.ts';
import { shownAccounts } from '../../../../workflows/checks/logins/shown-accounts.ts';

const test = suite('accounts in the fields of a login');

const form = (name: string, password: string): string =>
  `<form><input type=hidden name=t value=x><input name=user ${name}><input type=password name=pw ${password}></form>`;

test('what is filled in, or stands there as an example, is an account', () => {
  assert.equal(pairsInFields(form('value=kim', 'value=kim-2031')), [['kim', 'kim-2031']]);
  assert.equal(pairsInFields(form('placeholder=kim', 'placeholder=kim-2031')), [['kim', 'kim-2031']]);
  const [account] = shownAccounts(form('placeholder=kim', 'placeholder=kim'));
  assert.equal(account?.pair, ['kim', 'kim']);
});

test('labels in the place of values are none', () => {
  for (const [name, password] of [
    ['Username', 'Password'],
    ['Your name', 'Your secret'],
    ['kim', '••••••'],
    ['kim', 'Passwort'],
    ['Login', 'kim-2031'],
    ['Benutzer', 'Kennwort'],
  ])
    assert.equal(pairsInFields(form(`placeholder="${name}"`, `placeholder="${password}"`)), []);
  assert.equal(pairsInFields(form('value=kim', '')), []);
});

test('a password that is typed twice is a new one', () =>
  assert.equal(
    pairsInFields('<input name=user value=a><input type=password value=b><input type=password value=b>'),
    [],
  ));

test.run();
