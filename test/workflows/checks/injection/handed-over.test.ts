import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isHandedOver } from '../../../../workflows/checks/injection/handed-over.ts';
import type { Identity } from '../../../../workflows/model/identity.ts';
import type { FormSurface } from '../../../../workflows/model/surface.ts';
import { emptySurface } from '../../support/checks.ts';

const test = suite('forms that hand a text over');

const url = 'https://desk.example';
const field = (name: string, type: string) => ({ name, type, value: '' });

function isOver(
  path: string,
  label: string,
  method: 'GET' | 'POST' = 'POST',
  page = path,
  identities: Record<string, Identity> = {},
): boolean {
  const form: FormSurface = {
    ...{ pageUrl: url + page, action: url + path, method, enctype: '', label },
    fields: [field('title', 'text'), field('words', 'textarea')],
  };
  const input = { ...{ method, url: url + path, route: path, parameter: 'words' }, in: 'body' as const };
  const surface = { ...emptySurface(`${url}/`), forms: [form] };
  return isHandedOver(
    { surface, surfaces: {}, identities },
    { identity: '', pageUrl: url + page, inputs: [{ ...input, sample: '', others: [] }], addresses: {} },
  );
}

for (const path of ['/tickets/new', '/support', '/api/orders', '/account/complaints/3', '/beschwerden/neu', '/заявки'])
  test(`${path} is read by those who run the site`, () => assert.ok(isOver(path, 'Save')));

test('a message that a button sends is', () => {
  assert.ok(isOver('/write', 'Send'));
  assert.ok(isOver('/api/add', 'Save', 'POST', '/support'));
});

for (const path of ['/notes', '/pages/new', '/borders/new', '/profile', '/ordering'])
  test(`${path} is not by its words`, () => assert.not(isOver(path, 'Save')));

test('what is said to a program is not, nor what is asked for', () => {
  assert.not(isOver('/assistant', 'Send'));
  assert.not(isOver('/support/chat', 'Send'));
  assert.not(isOver('/tickets', 'Search', 'GET'));
});

test('what an administrator of the audit is shown is seen, and is not guessed', () => {
  const identity = (role: string) => ({ name: role, role }) as Identity;
  assert.ok(isOver('/tickets/new', 'Save', 'POST', '/tickets/new', { a: identity('user') }));
  assert.not(isOver('/tickets/new', 'Save', 'POST', '/tickets/new', { a: identity('user'), b: identity('admin') }));
});

test.run();
