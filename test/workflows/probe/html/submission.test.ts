import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProbeError } from '../../../../workflows/model/probe-error.ts';
import { fieldValues, sentForms } from '../../../../workflows/probe/html/submission.ts';

const test = suite('what a form sends');

const page = 'https://shop.example/account?tab=1';
const sent = (html: string) =>
  sentForms(html, page).map(({ action, entries }) => [action, entries.map(({ name, value }) => `${name}=${value}`)]);
const fields = (inner: string) => sent(`<form method=post action=/save>${inner}</form>`)[0]?.[1];

const kinds: [string, string, string[]][] = [
  [
    'texts, with their characters',
    '<input name=a value="O&#39;Brien &amp; Söhne"><input name=b>',
    ["a=O'Brien & Söhne", 'b='],
  ],
  ['hidden fields', '<input type=hidden name=t value=x>', ['t=x']],
  ['ticked boxes alone', '<input type=checkbox name=a checked><input type=checkbox name=b value=1>', ['a=on']],
  ['the chosen one of radios', '<input type=radio name=r value=1><input type=radio name=r value=2 checked>', ['r=2']],
  ['the selected option', '<select name=s><option value=1>A<option value=2 selected>B</select>', ['s=2']],
  [
    'the first option when none is selected',
    '<select name=s><option disabled>x<option> Blue  sky </select>',
    ['s=Blue sky'],
  ],
  [
    'every selected option of a list that takes several',
    '<select name=s multiple><option selected>a<option>b<option selected>c</select>',
    ['s=a', 's=c'],
  ],
  ['nothing of a list that takes several and has none', '<select name=s multiple><option>a</select>', []],
  [
    'a text area without the line break after its tag',
    '<textarea name=t>\n\nline\nnext</textarea>',
    ['t=\nline\nnext'],
  ],
  [
    'nothing that is disabled',
    '<input name=a disabled><fieldset disabled><input name=b></fieldset><input name=c>',
    ['c='],
  ],
  ['nothing without a name', '<input value=1><button>Save</button>', []],
  [
    'the first button, no other one, and no file',
    '<input type=file name=f><button name=go value=1>Go</button><input type=submit name=no>',
    ['go=1'],
  ],
  ['nothing of a template', '<template><input name=a></template><input name=b>', ['b=']],
];
for (const [what, html, expected] of kinds) test(`it sends ${what}`, () => assert.equal(fields(html), expected));

test('fields of a form around rows of a table, and those that name it, belong to it', () => {
  const html = `<table><form id=f method=post action=save><tr><td><input name=a value=1></td></tr></form></table>
    <input name=b value=2><input name=c value=3 form=f>`;
  assert.equal(sent(html), [['https://shop.example/save', ['a=1', 'c=3']]]);
});

test('what htmx sends goes where its attributes say, of the form or of the button; what it puts or deletes is no form', () => {
  const targets = (html: string) =>
    sentForms(html, page).map(({ method, action }) => `${method} ${new URL(action).pathname}`);
  assert.equal(targets('<form hx-post=/notes><input name=text></form>'), ['POST /notes']);
  assert.equal(targets('<form method=post action=/all data-hx-get=find><input name=q><button>Go</button></form>'), [
    'GET /find',
  ]);
  assert.equal(targets('<form hx-post=/notes><button>Add</button><button hx-get=/preview>Show</button></form>'), [
    ...['POST /notes', 'GET /preview'],
  ]);
  for (const method of ['put', 'patch', 'delete'])
    assert.equal(targets(`<form hx-${method}=/notes/1><input name=a></form>`), []);
});

test('a form inside a form is part of it', () => {
  assert.equal(sent('<form action=/one><form action=/two><input name=a></form></form>'), [
    ['https://shop.example/one', ['a=']],
  ]);
});

test('an action is resolved as browsers do, and one that leads nowhere is left out', () => {
  const actions = (html: string) => sent(html).map(([action]) => action);
  assert.equal(actions('<base href="/shop/"><form action="save#x">'), ['https://shop.example/shop/save']);
  assert.equal(actions('<form>'), [page]);
  assert.equal(actions('<form action="javascript:void(0)"></form><form action="https://"></form>'), []);
});

test('values of a field are those of the forms that go to the address, each of them', () => {
  const html = `<form action="/save?x=1"><input name=city value=here></form>
    <form action="/other"><input name=city value=there></form>
    <form action="/save?x=1"><input name=city value=again></form>`;
  assert.equal(fieldValues(html, page, '/save?x=1', 'city'), ['here', 'again']);
  assert.equal(fieldValues(html, page, '/save', 'city'), []);
});

test('a page of very many fields is refused in a bounded time: a part of a form is not what it sends', () => {
  const started = process.cpuUsage();
  const html = `<form>${'<input name=a value=b><select name=s><option>'.repeat(60_000)}`;
  assert.throws(
    () => sentForms(html, page),
    (error: unknown) => error instanceof ProbeError && error.code === 'too_large',
  );
  const { user } = process.cpuUsage(started);
  assert.ok(user < 10_000_000, `${user} µs`);
});

test('a form whose buttons lead to several addresses is sent to each, by the first button that leads there', () => {
  const buttons =
    '<button name=do value=see formaction=/preview>See</button><button name=do value=keep>Keep</button><button name=do value=x>X</button>';
  assert.equal(sent(`<form method=post action=/save><input name=a>${buttons}</form>`), [
    ['https://shop.example/preview', ['a=', 'do=see']],
    ['https://shop.example/save', ['a=', 'do=keep']],
  ]);
});

test.run();
