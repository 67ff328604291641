import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kindOfForm } from '../../../../workflows/probe/gate/structure.ts';

const test = suite('roles of others');

type Given = [name: string, type: string, value?: string];
const kindOf = (...fields: Given[]): string =>
  kindOfForm({
    action: 'https://harbour.example/crew',
    method: 'POST',
    label: 'Set',
    fields: fields.map(([name, type, value = '']) => ({ name, type, value })),
  }).kind;

test('a form that names an account and takes its role is never tried', () => {
  assert.is(kindOf(['uid', 'hidden', '2'], ['level', 'text', '1']), 'would-act');
  assert.is(kindOf(['user_id', 'hidden', '7'], ['role', 'select', 'member']), 'would-act');
  assert.is(kindOf(['username', 'hidden', 'ina'], ['is_admin', 'checkbox', '1']), 'would-act');
});

test('one that names no account, or takes no role, is like any other', () => {
  for (const kind of [
    kindOf(['level', 'text', '1']),
    kindOf(['uid', 'hidden', '2'], ['nickname', 'text']),
    kindOf(['uid', 'hidden', '2'], ['role', 'hidden', 'user'], ['nickname', 'text']),
    kindOf(['berth_id', 'hidden', '2'], ['level', 'text', '1']),
  ])
    assert.is.not(kind, 'would-act');
});

test.run();
