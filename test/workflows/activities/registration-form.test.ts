import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filledForm, fittedAccount } from '../../../workflows/activities/registration-form.ts';
import { registrationRequest } from '../../../workflows/checks/accounts/registrations.ts';
import type { FormSurface } from '../../../workflows/model/surface.ts';

const test = suite('what is filled into a registration');

const pageUrl = 'https://club.example/join';
const account = { name: 'kx7f2m9qa1', mail: 'kx7f2m9qa1@example.com', password: 'Aa1-kx7f2m9qb2', text: 'wr81kqpz0d' };
const field = (name: string, type = 'text') => ({ name, type, value: '' });
const fields = [field('handle'), field('surname'), field('boat'), field('mail', 'email'), field('word', 'password')];
const form: FormSurface = { pageUrl, action: pageUrl, method: 'POST', enctype: '', fields };
const page = (lengths: Record<string, number>) =>
  `<form method=post>${fields.map(({ name, type }) => `<input name=${name} type=${type} ${lengths[name] ? `maxlength=${lengths[name]}` : ''}>`).join('')}</form>`;

const sentWith = (html: string) => {
  const fitted = fittedAccount(account, form, html);
  const { body = '' } = filledForm(form, html, { account: fitted }) ?? {};
  return { fitted, sent: Object.fromEntries(new URLSearchParams(body)) };
};

test('a text that is no name has a word of its own', () => {
  const { mail, name, password, text } = account;
  const { fitted, sent } = sentWith(page({}));
  assert.equal(fitted, account);
  assert.equal(sent, { handle: name, surname: name, boat: text, mail, word: password });
});

test('names and passwords are as short as their fields are, and the mail address keeps its domain', () => {
  const { fitted, sent } = sentWith(page({ handle: 8, mail: 18, word: 12 }));
  const [mail, password] = ['kx7f2m@example.com', 'Aa1-kx7f2m9q'];
  assert.equal(fitted, { ...account, name: 'kx7f2m9q', mail, password });
  assert.equal([sent.handle, sent.mail, sent.word], ['kx7f2m9q', mail, password]);
});

test('a length with which nothing would be left of a name or a password is not kept to', () => {
  assert.equal(sentWith(page({ handle: 1, mail: 11, word: 2 })).fitted, account);
});

test('a field that says what it takes has a text like that, and its own word where that fits', () => {
  const shapes: [attributes: string, sent: string][] = [
    ['pattern="[0-9]{5}"', '11111'],
    ['inputmode=numeric maxlength=4', '1111'],
    ['placeholder="PIN, 6 digits"', '111111'],
    ['pattern="[A-Z]{2}-\\d+"', 'AA-1'],
    ['pattern=".{3,}"', account.text],
    ['pattern="(a|b)+"', account.text],
    [`pattern="${'\\d*'.repeat(12)}"`, account.text],
  ];
  for (const [attributes, sent] of shapes)
    assert.is(sentWith(page({}).replace('name=boat', `name=boat ${attributes}`)).sent.boat, sent, attributes);
  const pin: FormSurface = { ...form, fields: [...fields, field('pin')] };
  const { body = '' } = filledForm(pin, `${page({})}<input name=pin pattern="\\d{4}">`, { account }) ?? {};
  assert.is(new URLSearchParams(body).get('pin'), '1111');
});

test('in a request of script so has what was typed, and what was not typed stays', () => {
  const body = { handle: 'test', secret: 'Audit-pass-1', surname: 'test', boat: 'test', plan: 'basic' };
  const sent = registrationRequest(
    {
      ...{ method: 'POST', url: pageUrl, route: '/join', parameter: 'handle', in: 'body', sample: 'test', others: [] },
      contentType: 'application/json',
      json: { body: JSON.stringify(body), pointer: '/handle' },
      asked: { secret: 'password' },
    },
    account,
  );
  const { name, text } = account;
  assert.equal(JSON.parse(sent.body ?? ''), {
    ...{ handle: name, surname: 'test', boat: text, plan: 'basic' },
    secret: account.password,
  });
});

test.run();
