import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { passwordForms } from '../../../../workflows/checks/auth/password-forms.ts';
import { pageForms } from '../../../../workflows/login/page-forms.ts';
import { sentForms } from '../../../../workflows/probe/html/submission.ts';
import { parsePage } from '../../../../workflows/survey/page.ts';

const test = suite('forms, by all that read them');

const page = 'https://shop.example/account/page?tab=1';
const pass = '<input name=u><input type=password name=p>';

/** What each reader takes for a form's fields, in order. */
const readers: Record<string, (html: string) => string[][]> = {
  survey: (html) =>
    parsePage(html, page).forms.map(({ fields }) =>
      fields.filter(({ isUnticked }) => !isUnticked).map(({ name, value }) => `${name}=${value}`),
    ),
  login: (html) =>
    pageForms(html, page).map(({ controls }) =>
      controls.flatMap(({ name, sent }) => sent.map((value) => `${name}=${value}`)),
    ),
  proof: (html) => sentForms(html, page).map(({ entries }) => entries.map(({ name, value }) => `${name}=${value}`)),
};

const form = (inner: string) => `<form action=/save method=post>${inner}</form>`;
const cases: Record<string, [html: string, fields: string[][]]> = {
  'nothing of a disabled field': [form('<input name=a value=1 disabled><input name=b value=2>'), [['b=2']]],
  'nothing of a disabled fieldset, but for its first legend': [
    form(
      `<fieldset disabled><div><legend><input name=d></legend></div><legend><input name=a value=1></legend>
       <legend><input name=b></legend><fieldset><input name=c></fieldset></fieldset><input name=e value=2>`,
    ),
    [['a=1', 'e=2']],
  ],
  'a field elsewhere on the page that names its form, in the order of the page': [
    `<input name=a value=1 form=f><form id=f action=/x><input name=b value=2></form><input name=c value=3 form=f>`,
    [['a=1', 'b=2', 'c=3']],
  ],
  'no field of a form that names another one': [
    `<form id=f action=/x></form><form action=/y><input name=a form=f value=1><input name=b value=2 form=none></form>`,
    [['a=1'], []],
  ],
  'nothing for an id that something before the form has': [
    `<p id=f></p><form id=f action=/x><input name=b value=2></form><input name=a form=f>`,
    [['b=2']],
  ],
  'the fields of a form that a table closes': [
    `<table><form action=/x><tr><td><input name=a value=1></td></tr></form></table><input name=b>`,
    [['a=1']],
  ],
  'one of the radio buttons, and ticked boxes alone': [
    form(
      `<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked><input type=checkbox name=c>
       <input type=checkbox name=d value=3 checked>`,
    ),
    [['r=2', 'd=3']],
  ],
  'the first option that is not disabled': [
    form('<select name=s><optgroup disabled><option>x</optgroup><option disabled>y<option> Blue  sky </select>'),
    [['s=Blue sky']],
  ],
  'fields of known types as browsers hold them': [
    form(
      `<input type=number name=n value=x><input type=email name=m value=" a@b.example "><input type=range name=r>
       <input type=COLOR name=c><input type=whatever name=w value="1&#10;2"><input type=date name=d value=today>`,
    ),
    [['n=', 'm=a@b.example', 'r=50', 'c=#000000', 'w=12', 'd=']],
  ],
  'nothing of a template, also of one that nothing closes': [
    `<template><form action=/x><input name=a></form></template>${form('<input name=b>')}<template>${form('<input name=c>')}`,
    [['b=']],
  ],
  'nothing of a list of suggestions': [
    form('<input name=a list=l value=1><datalist id=l><input name=b value=2><option>x</datalist>'),
    [['a=1']],
  ],
};
for (const [what, [html, fields]] of Object.entries(cases))
  for (const [reader, read] of Object.entries(readers))
    test(`the ${reader} reads ${what}`, () => assert.equal(read(html), fields));

const actions: Record<string, (html: string) => string[]> = {
  survey: (html) => parsePage(html, page).forms.map(({ method, action }) => `${method} ${action}`),
  login: (html) =>
    pageForms(html, page).map((each) => {
      const { method, action } = each.targetBy(each.controls.find(({ isSubmit }) => isSubmit));
      return `${method} ${action}`;
    }),
  proof: (html) => sentForms(html, page).map(({ method, action }) => `${method} ${action}`),
  password: (html) => passwordForms(html, page).map(({ form }) => `${form?.method} ${form?.action}`),
};
const targets: Record<string, [html: string, target: string]> = {
  'where its button says': [
    `<form action=/a>${pass}<button formaction=/b formmethod=post>x</button></form>`,
    'POST https://shop.example/b',
  ],
  'by the first base with an address': [
    `<base target=_blank><base href=/x/><base href=/y/><form action=in method=POST>${pass}</form>`,
    'POST https://shop.example/x/in',
  ],
  'to its page without an action, whatever the base': [
    `<base href=/x/><form method=post>${pass}</form>`,
    `POST ${page}`,
  ],
  'without the fragment, and by GET where the method is none': [
    `<form action="in#top" method=put>${pass}</form>`,
    'GET https://shop.example/account/in',
  ],
};
for (const [what, [html, target]] of Object.entries(targets))
  for (const [reader, read] of Object.entries(actions))
    test(`by the ${reader} a form goes ${what}`, () => assert.equal(read(html), [target]));

test('a form that only closes its dialog is never sent, and for a login one that script sends', () => {
  const html = `<dialog><form method=dialog>${pass}<button>Close</button></form></dialog>`;
  assert.equal(actions.survey?.(html), []);
  assert.equal(actions.proof?.(html), []);
  assert.equal(pageForms(html, page)[0]?.isScripted, true);
  assert.equal(passwordForms(html, page)[0]?.form?.method, 'DIALOG');
});

test('a form whose only button is disabled is known by what stands on it', () => {
  const [seen] = parsePage(
    form('<input name=a><button disabled name=do value=drop>Delete account</button>'),
    page,
  ).forms;
  assert.is(seen?.label, 'Delete account');
});

test('a password that a disabled fieldset keeps from being sent is none of a form', () => {
  assert.equal(passwordForms(`<form><fieldset disabled>${pass}</fieldset></form>`, page), []);
});

test('the text of a label around a field names it, and that of one elsewhere too', () => {
  const [found] = pageForms(
    '<form><label>E-mail <input name=a></label><input name=b id=i></form><label for=i>Code</label>',
    page,
  );
  assert.equal(
    found?.controls.map(({ label }) => label),
    ['E-mail', 'Code'],
  );
});

test.run();
