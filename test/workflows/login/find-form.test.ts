import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  findAll,
  findCodeForm,
  findPasswordForm,
  findUsernameForm,
  type Wanted,
} from '../../../workflows/login/find-form.ts';
import { pageForms } from '../../../workflows/login/page-forms.ts';
import { submissionOf } from '../../../workflows/login/send-form.ts';
import { ProbeError } from '../../../workflows/model/probe-error.ts';

const forms = suite('login forms');

const pageUrl = 'https://a.example/account/login?next=%2F';
const read = (html: string) => pageForms(html, pageUrl);
const find = (html: string, wanted: Partial<Wanted> = {}) => findPasswordForm(read(html), { ...findAll, ...wanted });
const credentials = { username: 'ada', password: 'pw', code: '123456' };

/** "METHOD url" and the fields that would be sent. */
async function sent(html: string, wanted: Partial<Wanted> = {}) {
  const form = find(html, wanted);
  if (!form) return undefined;
  const { request } = await submissionOf(form, credentials);
  const fields =
    request.body === undefined ? new URL(request.url).searchParams : new URLSearchParams(String(request.body));
  return [`${request.method ?? 'GET'} ${request.url.replace(/\?.*/, '')}`, Object.fromEntries(fields)];
}

forms('the fields are found by their types and names, and the hidden ones are kept', async () => {
  const html =
    '<form method="post" action="/session"><input type="hidden" name="csrf" value="t"><input name="email"><input type="password" name="pw"></form>';
  assert.equal(await sent(html), ['POST https://a.example/session', { csrf: 't', email: 'ada', pw: 'pw' }]);
});

forms('a form without an action is sent to its page', () => {
  const form = find('<form method=post><input name=u><input type=password name=p></form>');
  assert.is(form?.form.action, pageUrl);
});

forms('a base element moves relative actions', () => {
  const form = find('<base href="/app/"><form action="in"><input name=u><input type=password name=p></form>');
  assert.is(form?.form.action, 'https://a.example/app/in');
});

forms('forms for signing up, searching and the newsletter are skipped', () => {
  const form = find(
    `<form action="/search"><input name=q></form>
     <form action="/register"><input name=u><input type=password name=p1><input type=password name=p2></form>
     <form action="/signup"><input name=u><input type=password name=p></form>
     <form action="/in"><input name=u><input type=password name=p></form>`,
  );
  assert.is(form?.form.action, 'https://a.example/in');
});

forms('of two forms that script sends, the one beside a button for registering is skipped', () => {
  const form = find(
    `<form id=a><input name=mail><input type=password name=p><button>Register</button></form>
     <form id=b><input name=nick><input type=password name=p><button>Log in</button></form>`,
  );
  assert.is(form?.username?.name, 'nick');
});

for (const [name, field, html] of [
  ['a name goes before the place', 'username', '<input name=username><input name=tenant>'],
  ['a label is a name, too', 'x1', '<label for=i>E-mail</label><input name=x1 id=i><input name=x2>'],
  ['what browsers fill in by themselves is known', 'x1', '<input name=x1 autocomplete=username><input name=x2>'],
  ['without any sign it is the last one', 'x2', '<input name=x1><input name=x2>'],
  ['a search beside it is none', 'x1', '<input name=x1><input name=q placeholder=Search>'],
] as const)
  forms(`of several text fields, ${name}`, () => {
    assert.is(find(`<form>${html}<input type=password name=p></form>`)?.username?.name, field);
  });

forms('given names are used, and a form that lacks them is not the one', () => {
  const html = '<form action="/in"><input name=a><input name=b><input type=password name=p></form>';
  assert.is(find(html, { username: 'a', password: 'p' })?.username?.name, 'a');
  assert.is(find(html, { username: 'x', password: 'p' }), undefined);
});

forms('what a browser would send is sent: ticked boxes, chosen options, one button, nothing disabled', async () => {
  const html = `<form method=post action=/in><input name=u><input type=password name=p>
     <input type=checkbox name=keep checked><input type=checkbox name=spam>
     <select name=lang><option value=de>D<option value=en selected>E</select><textarea name=t>x</textarea>
     <input name=off value=1 disabled><button type=button name=no value=1></button>
     <button name=go value=1></button><button name=cancel value=1></button></form>`;
  const expected = { u: 'ada', p: 'pw', keep: 'on', lang: 'en', t: 'x', go: '1' };
  assert.equal(await sent(html), ['POST https://a.example/in', expected]);
});

forms('of several buttons the one that goes on is pressed, or the given one', async () => {
  const buttons =
    '<button name=do value=forgot>Forgot?</button><button name=do value=in>Sign in</button><button name=do value=x id=third>X</button>';
  const html = `<form method=post action=/in><input name=u><input type=password name=p>${buttons}</form>`;
  assert.equal((await sent(html))?.[1], { u: 'ada', p: 'pw', do: 'in' });
  assert.equal((await sent(html, { submit: '#third' }))?.[1], { u: 'ada', p: 'pw', do: 'x' });
});

forms('the button may say where the form goes, and how', async () => {
  const html =
    '<form><input name=u><input type=password name=p><button formaction=/real formmethod=post>Log in</button></form>';
  assert.is((await sent(html))?.[0], 'POST https://a.example/real');
});

forms('a picture sends where it was pressed', async () => {
  const html = '<form method=post><input name=u><input type=password name=p><input type=image name=go></form>';
  assert.equal((await sent(html))?.[1], { u: 'ada', p: 'pw', 'go.x': '1', 'go.y': '1' });
});

forms('fields outside of their form belong to it, and fields of another form inside of it do not', async () => {
  const html = `<form id=f method=post action=/in><input name=u><input type=password name=p><input name=other form=g></form><input type=hidden name=far value=1 form=f>`;
  assert.equal((await sent(html))?.[1], { u: 'ada', p: 'pw', far: '1' });
});

forms('a GET form goes into the query, and replaces that of its action', async () => {
  const form = find('<form action="/in?x=1"><input name=u><input type=password name=p></form>');
  assert.is(form && (await submissionOf(form, credentials)).request.url, 'https://a.example/in?u=ada&p=pw');
});

forms('a code in the same form is filled in, and a captcha or voucher is not taken for one', () => {
  const form = (extra: string) => find(`<form><input name=u><input type=password name=p>${extra}</form>`);
  assert.is(form('<input name=otp>')?.code?.name, 'otp');
  assert.is(form('<input name=x autocomplete=one-time-code>')?.code?.name, 'x');
  assert.is(form('<input name=captcha_code>')?.code, undefined);
  assert.is(form('<input name=promo-code>')?.code, undefined);
  assert.is(form('<input type=hidden name=csrf_code value=1>')?.code, undefined);
});

forms('a page that asks for the name alone is distinguished from a search and a newsletter', () => {
  const name = (html: string) => findUsernameForm(read(html), findAll)?.form.action;
  const login = '<form action="/next"><input type=email name=identifier></form>';
  assert.is(name(`<form action="/search"><input name=q></form>${login}`), 'https://a.example/next');
  assert.is(name(`<form action="/newsletter"><input type=email name=email></form>${login}`), 'https://a.example/next');
  assert.is(name('<form action="/search"><input name=q></form>'), undefined);
});

forms('the password may stand alone where the name was asked for before', () => {
  const page = read('<form action="/in"><input type=password name=p></form>');
  assert.is(findPasswordForm(page, findAll), undefined);
  assert.is(findPasswordForm(page, findAll, true)?.password?.name, 'p');
});

forms('a page that asks for the code alone is found', () => {
  assert.is(
    findCodeForm(read('<form><input name="verification_code"></form>'), findAll)?.code?.name,
    'verification_code',
  );
  assert.is(findCodeForm(read('<form><input name=otp><input type=password name=p></form>'), findAll), undefined);
});

forms('a form that says neither where it goes nor how is one for script', () => {
  const isScripted = (attributes: string) => read(`<form ${attributes}></form>`)[0]?.isScripted;
  assert.equal(['', 'action="#"', 'action="javascript:void(0)"', 'id=x'].map(isScripted), [true, true, true, true]);
  assert.equal(['method=post', 'action=/in', 'method=get'].map(isScripted), [false, false, false]);
});

forms('a page without a login form has none', () => {
  assert.is(find('<p>Hello</p>'), undefined);
  assert.is(find('<form><input type=password name=p></form>'), undefined);
  assert.is(find('<form><input name=u><input type=password></form>'), undefined);
});

forms('what a reader may know of a form has no secret in it, and no value of a hidden field', async () => {
  const form = find(
    '<form method=post action=/in><input type=hidden name=csrf value=hush><input name=u><input type=password name=p><input type=checkbox name=keep checked></form>',
  );
  assert.ok(form);
  const { step } = await submissionOf(form, credentials);
  assert.equal(step, {
    pageUrl,
    url: 'https://a.example/in',
    method: 'POST',
    encoding: 'urlencoded',
    fields: [
      { name: 'csrf', holds: 'hidden' },
      { name: 'u', holds: 'username' },
      { name: 'p', holds: 'password' },
      { name: 'keep', holds: 'fixed', value: 'on' },
    ],
  });
});

forms('a page that nests without end is reported to be too much, instead of being taken for one without a form', () => {
  const html = `${'<div>'.repeat(20_000)}<form action="/in"><input name=u><input type=password name=p></form>`;
  assert.throws(
    () => find(html),
    (error: unknown) => error instanceof ProbeError && error.code === 'too_large',
  );
});

forms.run();
