import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FormSurface, InputSurface } from '../../../../workflows/checks/contract.ts';
import { isLoginForm, isReadingPost } from '../../../../workflows/checks/support/reading-requests.ts';
import { bodyInputs } from '../../../../workflows/probe/crawl/body-inputs.ts';
import { formInputs } from '../../../../workflows/probe/crawl/form-inputs.ts';

const test = suite('requests that only read');

type Words = { path: string; label?: string; fields: string[]; enctype?: string };

/** Fields are "name" or "name:type" or "name:type=value". */
const formOf = ({ path, label = '', fields, enctype = 'application/x-www-form-urlencoded' }: Words): FormSurface => ({
  ...{ pageUrl: 'https://shop.example/', action: `https://shop.example${path}`, method: 'POST', enctype, label },
  fields: fields.map((field) => {
    const [, name = '', type = 'text', value = ''] = /^(\w+)(?::(\w+))?(?:=(.*))?$/.exec(field) ?? [];
    return { name, type, value };
  }),
});
const isReading = (form: FormSurface): boolean => {
  const [input] = formInputs(form);
  return input !== undefined && isReadingPost(input, [form]);
};

const reading: Record<string, Words> = {
  'a search by the name of its field': { path: '/', fields: ['q'] },
  'a search by its path': { path: '/catalogue/search', fields: ['title', 'author'] },
  'a search in several parts': { path: '/find', fields: ['words'], enctype: 'multipart/form-data' },
  'a calculator': { path: '/loan', label: 'Calculate', fields: ['sum', 'years'] },
  'a converter with a long text': { path: '/tools/convert', label: 'Go', fields: ['text:textarea'] },
  'a switch of languages': { path: '/i18n/setlang', fields: ['language:select', 'next:hidden=/'] },
};
for (const [what, words] of Object.entries(reading)) test(`${what} is one`, () => assert.ok(isReading(formOf(words))));

const others: Record<string, Words> = {
  'a form that says nothing': { path: '/orders', fields: ['amount'] },
  'a contact form': { path: '/contact', label: 'Send', fields: ['name', 'message:textarea'] },
  'a search that is saved': { path: '/search/save', fields: ['q'] },
  'a subscription beside a search': { path: '/news', label: 'Subscribe', fields: ['q'] },
  'a deletion by a hidden command': { path: '/search', fields: ['q', '_method:hidden=delete'] },
  'a form with a file': { path: '/search', fields: ['q', 'photo:file'] },
  'a form with an address': { path: '/search', fields: ['q', 'mail:email'] },
  'a comment': { path: '/posts', label: 'Post comment', fields: ['term', 'text:textarea'] },
  'a form of plain text': { path: '/search', fields: ['q'], enctype: 'text/plain' },
};
for (const [what, words] of Object.entries(others)) test(`${what} is none`, () => assert.not(isReading(formOf(words))));

const jsonOf = (path: string, value: object, title?: string): InputSurface[] =>
  bodyInputs({
    ...{
      method: 'POST',
      url: `https://shop.example${path}`,
      contentType: 'application/json',
      body: JSON.stringify(value),
    },
    ...(title === undefined ? {} : { title }),
  });
const isReadingJson = (...given: Parameters<typeof jsonOf>): boolean => {
  const [input] = jsonOf(...given);
  return input !== undefined && isReadingPost(input, []);
};

test('JSON is read by its path, by what a document says of it, or by its GraphQL', () => {
  assert.ok(isReadingJson('/api/lamps/search', { text: 'a' }));
  assert.ok(isReadingJson('/api/lamps', { text: 'a' }, 'findLamps Looks lamps up'));
  assert.ok(
    isReadingJson('/graphql', { query: 'query L($id: ID) { lamp(id: $id) { title } }', variables: { id: '1' } }),
  );
});

test('JSON that may write something is not', () => {
  assert.not(isReadingJson('/api/track', { event: 'view' }));
  assert.not(isReadingJson('/api/lamps', { text: 'a' }));
  assert.not(isReadingJson('/api/search/create', { q: 'a' }));
  assert.not(isReadingJson('/api/lamps', { text: 'a' }, 'findOrCreate Creates a lamp where none is found: create'));
  assert.not(isReadingJson('/api', { query: 'mutation M($id: ID) { drop(id: $id) }', variables: { id: '1' } }));
});

test('a login has a name and one password, and says so', () => {
  assert.ok(isLoginForm(formOf({ path: '/account/login', fields: ['user', 'pass:password'] })));
  assert.ok(isLoginForm(formOf({ path: '/', label: 'Sign in', fields: ['mail:email', 'pass:password'] })));
  assert.not(isLoginForm(formOf({ path: '/register', label: 'Log in', fields: ['user', 'pass:password'] })));
  assert.not(isLoginForm(formOf({ path: '/login', fields: ['user', 'pass:password', 'again:password'] })));
  assert.not(isLoginForm(formOf({ path: '/profile', fields: ['user', 'pass:password'] })));
});

test.run();
