import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findLoginForm } from '../../../workflows/login/form.ts';

const forms = suite('login form');

const none = { username: '', password: '' };
const find = (html: string, given = none) => findLoginForm(html, 'https://a.example/account/login?next=%2F', given);

forms('the fields are found by their types and names, and the hidden ones are kept', () => {
  const form = find(
    '<form method="post" action="/session"><input type="hidden" name="csrf" value="t"><input name="email"><input type="password" name="pw"></form>',
  );
  assert.equal(form, {
    action: 'https://a.example/session',
    method: 'POST',
    usernameField: 'email',
    passwordField: 'pw',
    others: [['csrf', 't']],
  });
});

forms('a form without an action is sent to its page', () => {
  const form = find('<form method=post><input name=u><input type=password name=p></form>');
  assert.is(form?.action, 'https://a.example/account/login?next=%2F');
});

forms('a base element moves relative actions', () => {
  const form = find('<base href="/app/"><form action="in"><input name=u><input type=password name=p></form>');
  assert.is(form?.action, 'https://a.example/app/in');
});

forms('forms for signing up, searching and the newsletter are passed over', () => {
  const form = find(
    `<form action="/search"><input name=q></form>
     <form action="/register"><input name=u><input type=password name=p1><input type=password name=p2></form>
     <form action="/in"><input name=u><input type=password name=p></form>`,
  );
  assert.is(form?.action, 'https://a.example/in');
});

forms('a text field that is named like a username goes before the last one', () => {
  const form = find('<form><input name="username"><input name="tenant"><input type=password name=p></form>');
  assert.is(form?.usernameField, 'username');
  assert.equal(form?.others, [['tenant', '']]);
});

forms('given names are used, and a form that lacks them is not the one', () => {
  const html = '<form action="/in"><input name=a><input name=b><input type=password name=p></form>';
  assert.is(find(html, { username: 'a', password: 'p' })?.usernameField, 'a');
  assert.is(find(html, { username: 'x', password: 'p' }), undefined);
});

forms('what a browser would send is sent: ticked boxes, chosen options, one button, nothing disabled', () => {
  const form = find(
    `<form><input name=u><input type=password name=p>
     <input type=checkbox name=keep checked><input type=checkbox name=spam>
     <select name=lang><option value=de>D<option value=en selected>E</select><textarea name=t>x</textarea>
     <input name=off value=1 disabled><button type=button name=no value=1></button>
     <button name=go value=1></button><button name=cancel value=1></button></form>`,
  );
  assert.equal(form?.others, [
    ['keep', 'on'],
    ['lang', 'en'],
    ['t', 'x'],
    ['go', '1'],
  ]);
});

forms('a page without a login form has none', () => {
  assert.is(find('<p>Hello</p>'), undefined);
  assert.is(find('<form><input type=password name=p></form>'), undefined);
});

forms('a page that nests without end is read all the same', () => {
  const html = `${'<div>'.repeat(20_000)}<form action="/in"><input name=u><input type=password name=p></form>`;
  const startedAt = performance.now();
  find(html);
  assert.ok(performance.now() - startedAt < 5_000);
});

forms.run();
