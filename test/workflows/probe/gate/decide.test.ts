import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GateRequest, Licence, RefusalCode, Verdict } from '../../../../workflows/model/gate.ts';
import { ProbeError } from '../../../../workflows/model/probe-error.ts';
import { entryOfForm } from '../../../../workflows/probe/gate/entries.ts';
import {
  formKey,
  keysOfForm,
  keysOfVerdict,
  pageKey,
  parameterKey,
  shapeOfForm,
  shapeOfRequest,
} from '../../../../workflows/probe/gate/form-key.ts';
import { createGate, type Gate, type GateSettings } from '../../../../workflows/probe/gate/gate.ts';
import { keysOfEntry } from '../../../../workflows/probe/gate/known-entries.ts';
import { refusedByControl } from '../../../../workflows/probe/gate/links.ts';
import { parsePage } from '../../../../workflows/survey/page.ts';

const test = suite('what the write gate decides');

const site = 'https://shop.example';
const forms = parsePage(
  `<form method=post action=/find role=search><input name=text></form>
  <form method=post action=/guestbook><input name=who><textarea name=words></textarea></form>
  <form method=post action=/contact><input type=email name=from><textarea name=text></textarea></form>
  <form method=post action=/login><input name=user><input type=password name=pass></form>
  <form action=/password><input type=password name=password_new><input type=password name=password_conf></form>
  <form action=/sign-in><input name=user><input type=password name=pass></form>
  <form action=/list><input type=search name=q></form>
  <form action=/poll><select name=choice></select></form>
  <form action=/sent><input type=hidden name=csrf_token value=0a1b2c3d4e5f><input name=note></form>
  <form method=post action=/motto><textarea name=motto>Fresh every day</textarea></form>
  <form method=post action=/diagnostics><select name=tool></select><input name=target></form>
  <form method=post action=/relay><input name=host value=mail.shop.example></form>`,
  `${site}/`,
).forms;

const open = (settings: Partial<GateSettings> = {}): Gate => {
  const gate = createGate({ depth: 'standard', writes: 'reversible', ...settings });
  gate.learn({ forms });
  gate.noteSession(['session-of-anna'], 'user');
  gate.noteSession(['session-of-root'], 'admin');
  return gate;
};
type Asked = { method?: string; path: string; body?: string; type?: string; as?: string; headers?: [string, string][] };
const requestOf = ({
  method = 'GET',
  path,
  body,
  type = 'application/x-www-form-urlencoded',
  as,
  headers = [],
}: Asked) =>
  ({
    method: body === undefined ? method : method === 'GET' ? 'POST' : method,
    url: site + path,
    headers: [
      ...headers,
      ...(body === undefined ? [] : [['Content-Type', type] as const]),
      ...(as === undefined ? [] : [['Cookie', `sid=session-of-${as}`] as const]),
    ],
    body,
  }) satisfies GateRequest;
const decided = (gate: Gate, asked: Asked, licence?: Licence): RefusalCode | 'allowed' => {
  const decision = gate.decide(requestOf(asked), licence);
  return decision.allowed ? 'allowed' : decision.code;
};
const json = 'application/json';

const table: [string, Asked, RefusalCode | 'allowed'][] = [
  ['a page', { path: '/about' }, 'allowed'],
  ['values in the parameters of a page', { path: "/item?id=1'" }, 'allowed'],
  ['a picture of a size that uses up the memory', { path: '/picture?size=9999999' }, 'would-act'],
  ['a command in the address', { path: '/items?do=del&id=3' }, 'would-act'],
  ['the end of a session', { path: '/logout' }, 'ends-session'],
  [
    'the end of a session by a parameter with a sign before its name',
    { path: '/list?@action=logout&@sort=a' },
    'ends-session',
  ],
  ['that of a plugin', { path: '/?tx_login%5Baction%5D=logout' }, 'ends-session'],
  ['a command with a sign before its name', { path: '/item7?:action=retire' }, 'would-act'],
  ['what is filtered by', { path: '/log?filter[action]=delete' }, 'allowed'],
  [
    'a request for a login of OpenID Connect',
    { path: '/auth?client_id=a&response_type=code&nonce=n0S6WzA2Mj&redirect_uri=https%3A%2F%2Fb.example' },
    'allowed',
  ],
  ['a link with a one-time token', { path: '/post?id=3&_wpnonce=3f2a9c71' }, 'one-time-token'],
  [
    'a choice that is kept, by a token',
    { path: '/list?q=a&areasRemember=d5cb9b00b04b1a069bff0c61%2B%5C' },
    'one-time-token',
  ],
  ['a choice with a word', { path: '/list?q=a&remember=on&store=berlin-12' }, 'allowed'],
  ['a search by GET', { path: '/list?q=a' }, 'allowed'],
  ['a form by GET that says nothing', { path: '/poll?choice=2' }, 'not-observed'],
  ['a form by GET with a new password', { path: '/password?password_new=&password_conf=' }, 'sensitive-fields'],
  ['a part of that form', { path: '/password?password_new=a' }, 'sensitive-fields'],
  ['the page of that form', { path: '/password' }, 'allowed'],
  ['a form with a token by GET', { path: '/sent?csrf_token=0a1b2c3d4e5f&note=a' }, 'one-time-token'],
  ['a search by POST', { path: '/find', body: 'text=a' }, 'allowed'],
  ['a search by POST with a command', { path: '/find', body: 'text=a&_method=delete' }, 'would-act'],
  ['a guestbook', { path: '/guestbook', body: 'who=a&words=b' }, 'not-observed'],
  ['a contact form', { path: '/contact', body: 'from=a%40b.example&text=c' }, 'message'],
  [
    'an answer in a private conversation',
    { path: '/api/private-threads/7/posts', body: '{"text":"a"}', type: json },
    'message',
  ],
  ['an answer in a public one', { path: '/api/threads/7/posts', body: '{"text":"a"}', type: json }, 'not-observed'],
  ['a search in private conversations', { path: '/private-threads/?q=a' }, 'allowed'],
  ['a login with a name that nobody has', { path: '/login', body: 'user=a&pass=b' }, 'allowed'],
  ['a login with a list as its password', { path: '/login', body: 'user=a&pass[]=b' }, 'allowed'],
  ['a login with another field', { path: '/login', body: 'user=a&pass=b&role[]=c' }, 'not-observed'],
  ['a login by GET', { path: '/sign-in?user=a&pass=b' }, 'allowed'],
  ['a login by GET in a session', { path: '/sign-in?user=a&pass=b', as: 'anna' }, 'sensitive-fields'],
  ['a login that no form sends', { path: '/api/login', body: '{"user":"a","password":"b"}', type: json }, 'allowed'],
  [
    'the same in a session',
    { path: '/api/login', body: '{"user":"a","password":"b"}', type: json, as: 'anna' },
    'sensitive-fields',
  ],
  [
    'an author with a password that no form makes',
    { path: '/api/authors', body: '{"name":"a","password":"b"}', type: json },
    'sensitive-fields',
  ],
  [
    'an account that no form makes',
    { path: '/api/register', body: '{"user":"a","password":"b"}', type: json },
    'sensitive-fields',
  ],
  ['a login in a session', { path: '/login', body: 'user=a&pass=b', as: 'anna' }, 'sensitive-fields'],
  ['a POST that nobody has seen a form of', { path: '/xss_s', body: 'name=a' }, 'not-observed'],
  ['a search in JSON', { path: '/api/search', body: '{"q":"a"}', type: json }, 'allowed'],
  ['JSON that says nothing', { path: '/api/lamps', body: '{"text":"a"}', type: json }, 'not-observed'],
  ['a search in XML', { path: '/api/search', body: '<root><q>a</q></root>', type: 'application/xml' }, 'allowed'],
  [
    'an envelope whose procedure acts',
    {
      path: '/soap',
      body: '<s:Envelope><s:Header/><s:Body><u:DeleteLamp><q>a</q></u:DeleteLamp></s:Body></s:Envelope>',
      type: 'text/xml',
    },
    'would-act',
  ],
  ['XML that says nothing', { path: '/api/lamps', body: '<r><text>a</text></r>', type: 'text/xml' }, 'not-observed'],
  ['a query of GraphQL', { path: '/graphql', body: '{"query":"query { lamps { id } }"}', type: json }, 'allowed'],
  ['a mutation', { path: '/graphql', body: '{"query":"mutation { drop(id: 1) }"}', type: json }, 'would-act'],
  [
    'a mutation that lets somebody in',
    {
      path: '/graphql',
      body: '{"query":"mutation signIn($n: String!, $p: String!) { signIn(email: $n, password: $p) { token } }","variables":{"email":"a","password":"b"}}',
      type: json,
    },
    'allowed',
  ],
  [
    'the same in a session',
    {
      path: '/graphql',
      body: '{"query":"mutation signIn($n: String!, $p: String!) { signIn(email: $n, password: $p) { token } }","variables":{"email":"a","password":"b"}}',
      type: json,
      as: 'anna',
    },
    'sensitive-fields',
  ],
  [
    'a mutation that opens an account',
    {
      path: '/graphql',
      body: '{"query":"mutation signUp($n: String!, $p: String!) { signUp(login: $n, password: $p) { token } }","variables":{"login":"a","password":"b"}}',
      type: json,
    },
    'would-act',
  ],
  [
    'one that sets a password',
    {
      path: '/graphql',
      body: '{"query":"mutation resetPassword($n: String!, $p: String!) { resetPassword(login: $n, password: $p) { token } }","variables":{"login":"a","password":"b"}}',
      type: json,
    },
    'would-act',
  ],
  ['a mutation by GET', { path: '/graphql?query=mutation%7BclearAll%7D' }, 'would-act'],
  ['one behind what a server passes over', { path: '/api?query=%23a%0A%2Cmutation%7BclearAll%7D' }, 'would-act'],
  ['one behind a fragment', { path: '/api?query=fragment%20a%20on%20B%7Bc%7D%20mutation%7BclearAll%7D' }, 'would-act'],
  ['a search for a text with a brace', { path: '/find?query=a%22%3E%7B%7B7*7%7D%7D' }, 'allowed'],
  ['a search for an expression in braces', { path: '/find?query=%7B%7B7*7%7D%7D' }, 'allowed'],
  ['one of many numbered pages in a numbered part of a site', { path: '/part-02/Test00012.html' }, 'allowed'],
  ['what is done with one of many things', { path: '/part-02/test' }, 'would-act'],
  ['what deletes one, with a number behind it', { path: '/part-02/delete00012' }, 'would-act'],
  ['a DELETE', { method: 'DELETE', path: '/items/3' }, 'unsafe-method'],
  ['a PUT that calls itself a POST', { path: '/items/3', body: 'a=b', method: 'PUT' }, 'unsafe-method'],
  ['a DELETE in the headers', { path: '/items/3', headers: [['X-HTTP-Method-Override', 'DELETE']] }, 'unsafe-method'],
  ['what a page has fetched ahead', { path: '/item?id=1', headers: [['Sec-Purpose', 'prefetch']] }, 'would-act'],
  ['where a login asks for its code', { path: '/verify', as: 'anna' }, 'allowed'],
  ['the same below the login', { path: '/login/otp/verify' }, 'allowed'],
  ['what verifies an order', { path: '/orders/verify', as: 'anna' }, 'would-act'],
  ['what verifies with a token', { path: '/verify?code=a81f', as: 'anna' }, 'would-act'],
  ['what verifies one thing', { path: '/verify/7', as: 'anna' }, 'would-act'],
  ['a trace', { method: 'TRACE', path: '/' }, 'allowed'],
  ['the question of WebDAV for properties', { method: 'PROPFIND', path: '/' }, 'allowed'],
  ['one for properties that are set', { method: 'PROPPATCH', path: '/' }, 'unsafe-method'],
  ['"add" with an id that no page links to, in a session', { path: '/lists/new?from=7', as: 'anna' }, 'would-act'],
  ['the same as nobody', { path: '/lists/new?from=7' }, 'allowed'],
  ['the form of one thing in a session', { path: '/notes/7/edit', as: 'anna' }, 'allowed'],
  [
    'a change to one version that no page links to, in a session',
    { path: '/versions/change/7', as: 'anna' },
    'would-act',
  ],
  ['what sets something going, as an administrator', { path: '/admin/syncstock', as: 'root' }, 'would-act'],
  ['a claim by the parameter that is called like it', { path: '/claim?claim_id=7%27' }, 'allowed'],
  ['a transfer that is given something else', { path: '/transfer?to=7' }, 'would-act'],
  ['a page that is called like a command', { path: '/index.php?page=order&id=3%27' }, 'allowed'],
  ['that command', { path: '/index.php?action=order&id=3' }, 'would-act'],
  ['what came of a command', { path: '/deploy/logs?id=3%27' }, 'allowed'],
  ['what came of votes', { path: '/vote_results?poll_id=3%27' }, 'allowed'],
  ['what is set going for one thing, in a session', { path: '/feeds/7/refresh', as: 'anna' }, 'would-act'],
  ['the same by a query', { path: '/refresh?feed=news', as: 'anna' }, 'would-act'],
  ['the same as nobody', { path: '/feeds/7/refresh' }, 'allowed'],
  ['a page on what was run, as an administrator', { path: '/admin/run-history', as: 'root' }, 'allowed'],
  ['a script named like what edits, with its version', { path: '/js/edit-note.min.js?ver=3', as: 'anna' }, 'allowed'],
  ['a script named like what sets something going', { path: '/js/sync.js?v=3', as: 'root' }, 'allowed'],
  ['an image that is called like what acts', { path: '/assets/mark.svg' }, 'allowed'],
  ['a search that is saved under a name in a session', { path: '/list?q=a&@queryname=mine', as: 'anna' }, 'writes'],
  ['the same by POST', { path: '/find', body: 'text=a&saveSearchAs=mine', as: 'anna' }, 'writes'],
  ['the same without a name', { path: '/list?q=a&@queryname=&search_name=b', as: 'anna' }, 'allowed'],
  ['an unknown form as an administrator', { path: '/poll?choice=1', as: 'root' }, 'not-observed'],
];
for (const [what, asked, expected] of table)
  test(`${what}: ${expected}`, () => assert.is(decided(open(), asked), expected));

test('in a session the page that changes one thing is opened as the site links to it', () => {
  const gate = open();
  const page = { path: '/notes/7/change', as: 'anna' };
  assert.is(decided(gate, page), 'would-act');
  gate.noteLink(`${site}/notes/7/change`);
  assert.is(decided(gate, page), 'allowed');
});

test('a page with a word for what acts in its path is looked at once, as nobody, by its link, without a value', () => {
  const gate = open();
  const page = { path: '/remove-background' };
  assert.is(decided(gate, page), 'would-act');
  for (const path of ['/remove-background', '/remove-note/7', '/remove-note?id=7', '/cache/clear', '/logout'])
    gate.noteLink(site + path);
  assert.is(decided(gate, { ...page, as: 'anna' }), 'would-act');
  gate.pass(requestOf(page));
  assert.is(decided(gate, page), 'looked-once');
  for (const path of ['/remove-note/7', '/remove-note?id=7', '/cache/clear'])
    assert.is(decided(gate, { path }), 'would-act');
  assert.is(decided(gate, { path: '/logout' }), 'ends-session');
});

test('on a test system the page "/send" is looked at by its link, and its form takes a file, but nothing is sent below another name', () => {
  const gate = open({ depth: 'deep', writes: 'create' });
  const withFile = `<form method=post action=/send enctype=multipart/form-data><input name=who><input type=file name=picture></form>`;
  const message = `<form method=post action=/send><textarea name=words></textarea></form>`;
  for (const path of ['/send', '/letter/send']) gate.noteLink(site + path);
  assert.is(decided(gate, { path: '/letter/send' }), 'would-act');
  assert.is(decided(gate, { path: '/send?id=4' }), 'would-act');
  assert.is(decided(gate, { path: '/send', as: 'root' }), 'would-act');
  gate.pass(requestOf({ path: '/send' }));
  assert.is(decided(gate, { path: '/send' }), 'looked-once');
  const body =
    '--b\r\nContent-Disposition: form-data; name="who"\r\n\r\na\r\n--b\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nb\r\n--b--\r\n';
  const sent = { path: '/send', body, type: 'multipart/form-data; boundary=b' };
  assert.is(decided(gate, sent, 'lasting'), 'would-act');
  gate.learn({ forms: parsePage(withFile, `${site}/send`).forms });
  assert.is(decided(gate, sent, 'lasting'), 'allowed');
  assert.is(decided(gate, { path: '/send' }), 'allowed');
  assert.is(decided(open({ depth: 'deep' }), { path: '/send' }), 'would-act');
  const other = open({ depth: 'deep', writes: 'create' });
  other.learn({ forms: parsePage(message, `${site}/send`).forms });
  assert.is(decided(other, { path: '/send', body: 'words=b' }), 'would-act');
});

test('an observation opens an unknown form in a deep scan, and closes it for good when it writes', () => {
  const key = formKey({ method: 'POST', route: '/guestbook', fields: ['who', 'words'] });
  assert.is(forms[1] && formKey(shapeOfForm(forms[1])), key);
  const asked = { path: '/guestbook', body: 'who=a&words=b' };
  assert.is(formKey(shapeOfRequest(requestOf(asked))), key);
  const standard = open();
  standard.observed(key, 'reads');
  assert.is(decided(standard, asked), 'not-observed');
  const deep = open({ depth: 'deep' });
  assert.is(decided(deep, asked), 'not-observed');
  assert.is(decided(deep, asked, 'observation'), 'allowed');
  deep.observed(key, 'reads');
  assert.is(decided(deep, asked), 'allowed');
  assert.is(decided(deep, { ...asked, as: 'anna' }), 'allowed');
  assert.is(decided(deep, { ...asked, as: 'root' }), 'not-observed');
  assert.is(decided(deep, { path: '/guestbook', body: 'who=a&role=admin' }), 'not-observed');
  deep.observed(key, 'writes');
  deep.observed(key, 'reads');
  assert.is(decided(deep, asked), 'writes');
});

test('a form that numbers its fields by what it is about has one key, and another field another', () => {
  const keyOf = (...fields: string[]) => formKey({ method: 'POST', route: '/links', fields });
  assert.is(keyOf('3-parent', 'parent-3', 'id'), keyOf('12-parent', 'parent-12', 'id'));
  assert.is.not(keyOf('3-parent'), keyOf('3-child'));
  assert.is.not(keyOf('parent-3'), keyOf('parent'));
});

test('a form that only read at one place, or under one command, opens no other place and no other command', () => {
  const page = (title: string, command: string) =>
    `<form method=post action="/wiki?title=${title}&amp;action=view"><input type=hidden name=do value=${command}>
      <input name=summary></form>`;
  const wiki = parsePage(
    [page('Talk', 'plain'), page('Start', 'plain'), page('Talk', 'full')].join(''),
    `${site}/`,
  ).forms;
  const gate = open({ depth: 'deep' });
  gate.learn({ forms: wiki });
  const sent = (title: string, command: string, more = '') =>
    decided(gate, { path: `/wiki?title=${title}&action=view${more}`, body: `do=${command}&summary=a` });
  assert.is(sent('Talk', 'plain'), 'not-observed');
  const [observed] = wiki.map(keysOfForm);
  assert.ok(observed);
  for (const key of keysOfVerdict('reads', observed)) gate.observed(key, 'reads');
  assert.is(sent('Talk', 'plain'), 'allowed');
  assert.is(sent('Start', 'plain'), 'not-observed');
  assert.is(sent('Talk', 'full'), 'not-observed');
  assert.is(sent('Elsewhere', 'plain'), 'not-observed');
  assert.is(sent('Talk', 'plain', '&section=2'), 'not-observed');
  for (const key of keysOfVerdict('writes', observed)) gate.observed(key, 'writes');
  assert.is(sent('Start', 'plain'), 'writes');
});

test('a form by GET that only read under one command opens no other command', () => {
  const [form] = parsePage(
    '<form action=/page><input type=hidden name=mode value=plain><input name=note></form>',
    `${site}/`,
  ).forms;
  assert.ok(form);
  const gate = open({ depth: 'deep' });
  gate.learn({ forms: [form] });
  assert.is(decided(gate, { path: '/page?mode=plain&note=a' }), 'not-observed');
  for (const key of keysOfVerdict('reads', keysOfForm(form))) gate.observed(key, 'reads');
  assert.is(decided(gate, { path: '/page?mode=plain&note=a' }), 'allowed');
  assert.is(decided(gate, { path: '/page?mode=full&note=a' }), 'not-observed');
});

test('a form with a button or a choice that is called like a command is known again, in multipart too', () => {
  const [form] = parsePage(
    `<form method=post enctype=multipart/form-data action=/page><input type=hidden name=do value=plain>
      <select name=mode><option>wide<option>narrow</select><input name=note><button name=op value=Show>Show</button></form>`,
    `${site}/`,
  ).forms;
  assert.ok(form);
  const gate = open({ depth: 'deep' });
  gate.learn({ forms: [form] });
  for (const key of keysOfVerdict('reads', keysOfForm(form))) gate.observed(key, 'reads');
  const sent = (command: string, mode: string, type: string) => {
    const values = Object.entries({ do: command, mode, note: 'a', op: 'Show' });
    const body = type.startsWith('multipart')
      ? `${values.map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--x--\r\n`
      : String(new URLSearchParams(values));
    return decided(gate, { path: '/page', body, type });
  };
  for (const type of ['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']) {
    assert.is(sent('plain', 'wide', type), 'allowed', type);
    assert.is(sent('plain', 'narrow', type), 'allowed', type);
    assert.is(sent('full', 'wide', type), 'not-observed', type);
  }
});

test('a GET form that asks for a text is sent by a standard scan as nobody, and in a deep one when it was observed', () => {
  const shown = parsePage(
    '<form action=/case7><input name=given><input type=submit value=Submit></form><form action=/shout><input name=say><button>Shout</button></form><form method=post action=/case8><input name=given><input type=submit value=Submit></form>',
    'https://shop.example/',
  ).forms;
  const opened = (settings: Partial<GateSettings> = {}) => {
    const gate = open(settings);
    gate.learn({ forms: shown });
    return gate;
  };
  const standard = opened();
  assert.is(decided(standard, { path: '/case7?given=a' }), 'allowed');
  assert.is(decided(standard, { path: '/case7?given=a', as: 'anna' }), 'not-observed');
  assert.is(decided(standard, { path: '/shout?say=a' }), 'not-observed');
  assert.is(decided(standard, { method: 'POST', path: '/case8', body: 'given=a' }), 'not-observed');
  assert.is(decided(opened({ depth: 'deep' }), { path: '/case7?given=a' }), 'not-observed');
});

test('an unknown form by GET is asked as the site links to it, and not as an administrator', () => {
  const gate = open();
  const asked = { path: '/poll?choice=7' };
  assert.is(decided(gate, asked), 'not-observed');
  gate.noteLink(`${site}/poll?choice=1&page=2`);
  assert.is(decided(gate, asked), 'not-observed');
  gate.noteLink(`${site}/poll?choice=1`);
  assert.is(decided(gate, asked), 'allowed');
  assert.is(decided(gate, { ...asked, as: 'root' }), 'not-observed');
  gate.observed(formKey({ method: 'GET', route: '/poll', fields: ['choice'] }), 'writes');
  assert.is(decided(gate, asked), 'writes');
});

test('an administrator of a test system uses an unknown form that was seen to keep nothing, and one that adds something', () => {
  const bodies: Record<string, object> = {
    '/guestbook': { body: 'who=a&words=b' },
    '/motto': { body: 'motto=a' },
    '/diagnostics': { body: 'tool=lookup&target=a' },
    '/relay': { body: 'host=a' },
  };
  const decide = (settings: Partial<GateSettings>, verdict: Verdict, path = '/poll?choice=7') => {
    const gate = open({ depth: 'deep', ...settings });
    for (const fields of [['choice'], ['who', 'words'], ['motto'], ['tool', 'target'], ['host']])
      for (const [method, route] of [
        ['GET', '/poll'],
        ['POST', '/guestbook'],
        ['POST', '/motto'],
        ['POST', '/diagnostics'],
        ['POST', '/relay'],
      ] as const)
        gate.observed(formKey({ method, route, fields }), verdict);
    return decided(gate, { path, as: 'root', ...bodies[path] });
  };
  assert.is(decide({ writes: 'create' }, 'reads'), 'allowed');
  assert.is(decide({ writes: 'create' }, 'unknown'), 'not-observed');
  assert.is(decide({ writes: 'create' }, 'writes'), 'writes');
  assert.is(decide({ writes: 'reversible' }, 'reads'), 'not-observed');
  assert.is(decide({ writes: 'create' }, 'reads', '/motto'), 'not-observed', 'what stands there would be lost');
  assert.is(decide({ writes: 'create' }, 'writes', '/guestbook'), 'allowed', 'it adds something');
  assert.is(decide({ writes: 'create' }, 'unknown', '/diagnostics'), 'allowed', 'it works with what it is given');
  assert.is(decide({ writes: 'create' }, 'unknown', '/relay'), 'not-observed', 'what stands there may be a setting');
  assert.is(decide({ writes: 'create' }, 'writes', '/diagnostics'), 'not-observed');
  assert.is(decide({ writes: 'reversible' }, 'unknown', '/diagnostics'), 'not-observed');
});

test('a search that turns out to store is stopped, whatever it looks like', () => {
  const gate = open();
  gate.observed(formKey({ method: 'POST', route: '/find', fields: ['text'] }), 'writes');
  assert.is(decided(gate, { path: '/find', body: 'text=a' }), 'writes');
});

test('on a test system it is enough that what a form does was looked for', () => {
  const probe = { path: '/poll?choice=7' };
  const key = formKey({ method: 'GET', route: '/poll', fields: ['choice'] });
  const answer = (settings: Partial<GateSettings>, isObserved = true, as = '') => {
    const gate = open({ depth: 'deep', ...settings });
    if (isObserved) gate.observed(key, 'unknown');
    return decided(gate, { ...probe, ...(as && { as }) });
  };
  assert.is(answer({ writes: 'create' }), 'allowed');
  assert.is(answer({ writes: 'create' }, false), 'not-observed');
  assert.is(answer({ writes: 'create' }, true, 'root'), 'not-observed');
  assert.is(answer({}), 'not-observed');
});

test('a form belongs to the numbered page that sends it, and elsewhere to all of its route', () => {
  const shown = ['', '<input type=password name=pin autocomplete=new-password>'].flatMap(
    (further, index) =>
      parsePage(`<form method=post><input name=text>${further}</form>`, `${site}/parts/${index + 1}`).forms,
  );
  const gate = open({ depth: 'deep', writes: 'create' });
  gate.learn({ forms: shown });
  const [first] = shown;
  if (first) gate.observed(keysOfForm(first).exact, 'unknown');
  const at = (number: number) => decided(gate, { path: `/parts/${number}`, body: 'text=a' });
  assert.equal([1, 2, 3].map(at), ['allowed', 'sensitive-fields', 'sensitive-fields']);
});

test('a name and a secret without a word for what is done are sent on a test system, by nobody, after an observation', () => {
  const asked = (markup: string, settings: Partial<GateSettings>) => {
    const { forms: shown } = parsePage(`<form method=post>${markup}<button>Send</button></form>`, `${site}/parts/7`);
    const gate = open({ depth: 'deep', ...settings });
    gate.learn({ forms: shown });
    for (const form of shown) if (gate.mayObserve(form).allowed) gate.observed(keysOfForm(form).exact, 'reads');
    return decided(gate, { path: '/parts/7', body: 'name=a&pin=b' });
  };
  const plain = '<input name=name><input name=pin type=password>';
  assert.is(asked(plain, { writes: 'create' }), 'allowed');
  assert.is(asked(plain, { writes: 'reversible' }), 'sensitive-fields');
  assert.is(asked('<input name=name value=ann><input name=pin value=1>', { writes: 'create' }), 'allowed');
  for (const other of [
    '<input name=name value=ann><input name=pin type=password>',
    '<input name=name><input name=pin type=password autocomplete=new-password>',
    '<input name=name><input name=pin type=password><input name=city>',
    '<input name=name><input name=new_pin type=password>',
  ])
    assert.is.not(asked(other, { writes: 'create' }), 'allowed', other);
});

test('a page that is called by a word and a number is a program, and no entry', () => {
  const gate = open({ depth: 'deep', writes: 'create' });
  const paths = [11, 12].map((number) => `/part/ExampleReport000${number}`);
  const shown = paths.flatMap(
    (path) => parsePage('<form method=post><input name=text value="A lamp"></form>', site + path).forms,
  );
  gate.learn({ forms: shown });
  const [first] = shown;
  const entry = first && entryOfForm(first);
  if (first) gate.observed(keysOfForm(first).exact, 'unknown');
  for (const key of entry ? keysOfEntry(entry) : []) gate.observed(key, 'unknown');
  for (const path of paths) assert.is(decided(gate, { path, body: 'text=a' }), 'allowed', path);
});

test('what is typed into a form of a test system may be worked on, whatever the address says of that', () => {
  const asked = (markup: string, path: string, settings: Partial<GateSettings>) => {
    const { forms: shown } = parsePage(`<form action="${path}">${markup}</form>`, `${site}/lab`);
    const gate = open({ depth: 'deep', ...settings });
    gate.learn({ forms: shown });
    for (const form of shown) if (gate.mayObserve(form).allowed) gate.observed(keysOfForm(form).exact, 'reads');
    return decided(gate, { path: `${path}?code=7` });
  };
  const typed = '<input name=code><button>Execute</button>';
  assert.is(asked(typed, '/lab/exec/', { writes: 'create' }), 'allowed');
  assert.is(asked(typed, '/lab/exec/', { writes: 'reversible' }), 'would-act');
  assert.is(asked(typed, '/jobs/7/exec', { writes: 'create' }), 'would-act');
  assert.is(
    asked('<input type=hidden name=code value=7><button>Execute</button>', '/jobs/exec', { writes: 'create' }),
    'would-act',
  );
  assert.is(asked('<input name=code><button>Delete</button>', '/lab/exec', { writes: 'create' }), 'would-act');
});

test('a test system is sent what its forms add, whatever word they have for that, and nothing that sends or invites', () => {
  const asked = (markup: string, path: string, writes: GateSettings['writes'] = 'create', as = '') => {
    const { forms: shown } = parsePage(`<form method=post action="${path}">${markup}</form>`, `${site}/club`);
    const gate = open({ depth: 'deep', writes });
    gate.learn({ forms: shown });
    for (const form of shown) if (gate.mayObserve(form).allowed) gate.observed(keysOfForm(form).exact, 'unknown');
    return decided(gate, { path, body: 'guest=7', ...(as && { as }) });
  };
  const typed = '<input name=guest><button>Subscribe</button>';
  assert.is(asked(typed, '/subscribe'), 'allowed');
  assert.is(asked('<input name=guest><button>Invite</button>', '/invite'), 'would-act');
  assert.is(asked('<input name=guest><button>Send message</button>', '/desk'), 'would-act');
  assert.is(asked('<input name=guest><button>Import</button>', '/club/import'), 'allowed');
  assert.is(asked(typed, '/subscribe', 'reversible'), 'would-act');
  assert.is(asked(typed, '/subscribe', 'create', 'root'), 'allowed');
  assert.is(asked(typed, '/settings/subscribe', 'create', 'root'), 'would-act');
  const edited = '<input name=guest value=Ina><button>OK</button>';
  assert.is(asked(edited, '/guests/save/7', 'create', 'anna'), 'allowed');
  assert.is(asked(edited, '/guests/save/7', 'create', 'root'), 'would-act');
  assert.is(asked('<input name=guest><button>Send money</button>', '/desk'), 'would-act');
  assert.is(asked('<input type=hidden name=guest value=7><button>Subscribe</button>', '/desk'), 'would-act');
  assert.is(asked('<input name=guest><button>Delete</button>', '/subscribe'), 'would-act');
});

test('a link that is called like the page that adds something is one of pages where that is allowed', () => {
  const link = { url: `${site}/subscribe`, text: 'Subscribe' };
  assert.is(refusedByControl(link, true), undefined);
  assert.is(refusedByControl(link)?.code, 'would-act');
  for (const other of [
    { url: `${site}/subscribe?guest=7`, text: 'Subscribe' },
    { url: `${site}/guests/7`, text: 'Subscribe' },
    { url: `${site}/reset`, text: 'Reset' },
  ])
    assert.is(refusedByControl(other, true)?.code, 'would-act', other.url);
});

test('a link that says that a file is handed over leads to its form where adding is allowed', () => {
  for (const [path, text] of [
    ['/send.php', 'Send a photo'],
    ['/send', 'Send'],
    ['/snaps.php', 'Send a photo'],
    ['/album', 'Send my photos'],
  ] as const) {
    const link = { url: site + path, text };
    assert.is(refusedByControl(link, true), undefined, text);
    assert.is(refusedByControl(link)?.code, 'would-act', text);
  }
  for (const [path, text] of [
    ['/photos?id=7', 'Send a photo'],
    ['/photos/7', 'Send photo'],
    ['/album', 'Send'],
    ['/album', 'Send invoices'],
    ['/delete', 'Send a photo'],
  ] as const)
    assert.is(refusedByControl({ url: site + path, text }, true)?.code, 'would-act', text);
});

test('a link that turns over what one thing is marked as is not followed, and one that shows the thing is', () => {
  const code = (path: string, text: string, hints = '', icons = '') =>
    refusedByControl({ url: `${site}${path}`, text, hints, icons })?.code;
  assert.is(code('/i/?c=entry&a=read&id=1795905414351885', '', 'Toggle read'), 'would-act');
  assert.is(code('/i/?c=entry&a=read&id=1795905414351885', '✉', 'Basculer la lecture', 'item read'), 'would-act');
  assert.is(code('/mail/7?switch=1', 'Toggle important'), 'would-act');
  assert.is(code('/list?show=read', 'Toggle read'), undefined);
  assert.is(code('/people?action=read&id=7', '', 'View record', 'fa fa-eye'), undefined);
  assert.is(code('/news?action=read&id=7', 'Read', '', 'button read'), undefined);
});

test('rule 1 holds for observations too, and messages are sent on test systems only', () => {
  const [, guestbook, contact, login, password] = forms as [never, ...(typeof forms)[number][]];
  const codeOf = (settings: Partial<GateSettings>, form = guestbook) => {
    const decision = open(settings).mayObserve(form as (typeof forms)[number]);
    return decision.allowed ? 'allowed' : decision.code;
  };
  assert.is(codeOf({}), 'not-observed');
  assert.is(codeOf({ depth: 'deep' }), 'allowed');
  assert.is(codeOf({ depth: 'deep', writes: 'none' }), 'not-observed');
  assert.is(codeOf({ depth: 'deep' }, contact), 'message');
  assert.is(codeOf({ depth: 'deep', writes: 'create' }, contact), 'allowed');
  for (const form of [login, password])
    assert.is(codeOf({ depth: 'deep', writes: 'create' }, form), 'sensitive-fields');
});

test('a visitor’s form with an address among other fields is sent to a test system, and nobody’s own address is changed', () => {
  const asked = (markup: string, writes: GateSettings['writes'] = 'create', as = '') => {
    const page = `<form method=post action=/club/form><input name=guest><input name=email>${markup}</form>`;
    const { forms: shown } = parsePage(page, `${site}/club`);
    const gate = open({ depth: 'deep', writes });
    gate.learn({ forms: shown });
    for (const form of shown) if (gate.mayObserve(form).allowed) gate.observed(keysOfForm(form).exact, 'unknown');
    return decided(gate, { path: '/club/form', body: 'guest=7&email=a', ...(as && { as }) });
  };
  assert.is(asked('<button>Apply</button>'), 'allowed');
  assert.is(asked('<button>Register</button>'), 'allowed');
  assert.is(asked('<button>Apply</button>', 'reversible'), 'sensitive-fields');
  for (const as of ['anna', 'root']) assert.is(asked('<button>Save</button>', 'create', as), 'sensitive-fields', as);
  for (const more of [
    '<button>Order now</button>',
    '<button>Delete</button>',
    '<button>Invite</button>',
    '<input name=card_number><button>Apply</button>',
    '<input type=file name=photo><button>Apply</button>',
    '<input type=password name=new><button>Apply</button>',
  ])
    assert.is(asked(more), 'sensitive-fields', more);
});

test('a link by which a program with one address keeps something is followed on test systems only', () => {
  const codes = (path: string) =>
    (['reversible', 'create'] as const).map((writes) => decided(open({ depth: 'deep', writes }), { path }));
  for (const path of [
    '/?r=wishlist/add&id=43',
    '/x.php?do=save&id=5',
    '/?route=account/wishlist.add&product_id=4',
    '/?route=account/returns.save',
    '/?route=product/review.write',
  ])
    assert.equal(codes(path), ['would-act', 'allowed'], path);
  for (const path of [
    '/?r=wishlist/add',
    '/x.php?do=show&id=5',
    '/?page=add&id=3',
    '/?page=notes/read.add-ons',
    '/x.php?action=edit&id=5',
  ])
    assert.equal(codes(path), ['allowed', 'allowed'], path);
});

for (const [what, path] of [
  ['keeps a text with one thing', '/comments/add/43'],
  ['makes a key of an account', '/keys/save'],
  ['sets something of the whole site', '/admin/tags/change-separator'],
] as const)
  test(`a form that ${what} is sent on test systems only`, () => {
    const page = `<form method=post action=${path}><input name=description><button>Save</button></form>`;
    const [form] = parsePage(page, `${site}/keys/create`).forms;
    assert.ok(form);
    const codes = (writes: GateSettings['writes']) => {
      const gate = open({ depth: 'deep', writes });
      gate.learn({ forms: [form] });
      const may = gate.mayObserve(form);
      return [may.allowed ? 'allowed' : may.code, decided(gate, { path, body: 'description=a' })];
    };
    assert.equal(codes('reversible'), ['would-act', 'would-act']);
    assert.equal(codes('create'), ['allowed', 'not-observed']);
  });

test('settings are posted in a session or to a test system: those of nobody are everybody’s', () => {
  const asked = { method: 'POST', path: '/settings/user', type: json, body: '{"grid":20}' };
  const code = (writes: GateSettings['writes'], as?: string, path = asked.path) =>
    decided(open({ depth: 'deep', writes }), { ...asked, path, ...(as ? { as } : {}) }, 'observation');
  assert.is(code('reversible'), 'would-act');
  assert.is(code('reversible', undefined, '/notes/user'), 'allowed');
  assert.is(code('reversible', 'session-of-anna'), 'allowed');
  assert.is(code('create'), 'allowed');
});

test('a form that says nothing but "Submit" is sent to a test system only, where it was seen what it does', () => {
  const page = '<form method=post action=/case/7><input type=submit value=Submit></form>';
  const [form] = parsePage(page, `${site}/case/7.html`).forms;
  assert.ok(form);
  const codes = (writes: GateSettings['writes']) => {
    const gate = open({ depth: 'deep', writes });
    gate.learn({ forms: [form] });
    const may = gate.mayObserve(form);
    const before = decided(gate, { path: '/case/7', body: '' });
    gate.observed(keysOfForm(form).exact, 'reads');
    return [may.allowed ? 'allowed' : may.code, before, decided(gate, { path: '/case/7', body: '' })];
  };
  assert.equal(codes('reversible'), ['would-act', 'would-act', 'would-act']);
  assert.equal(codes('create'), ['allowed', 'not-observed', 'allowed']);
});

test('one field of a form that was seen, and not seen to write, may have another name, which is no command, on a test system', () => {
  const page = '<form method=post action=/pick><input name=kind value=a><input type=hidden name=way value=b></form>';
  const [form] = parsePage(page, `${site}/`).forms;
  assert.ok(form);
  const codeOf = (body: string, writes: GateSettings['writes'] = 'create', verdict: Verdict | 'none' = 'reads') => {
    const gate = open({ depth: 'deep', writes });
    gate.learn({ forms: [form] });
    if (verdict !== 'none') for (const key of keysOfVerdict(verdict, keysOfForm(form))) gate.observed(key, verdict);
    return decided(gate, { path: '/pick', body });
  };
  assert.is(codeOf("way=b&x'y=a"), 'allowed');
  for (const body of ['way=b&delete=a', 'x=a&y=b', 'kind=a&way=b&x=c']) assert.is(codeOf(body), 'not-observed', body);
  assert.is(codeOf('way=b&x=a', 'reversible'), 'not-observed');
  assert.is(codeOf('way=b&x=a', 'create', 'unknown'), 'allowed');
  assert.is(codeOf('way=b&delete=a', 'create', 'unknown'), 'not-observed');
  for (const verdict of ['writes', 'none'] as const)
    assert.is(codeOf('way=b&x=a', 'create', verdict), 'not-observed', verdict);
  const [empty] = parsePage('<form method=post action=/pick><input id=kind value=a></form>', `${site}/`).forms;
  assert.ok(empty);
  const gate = open({ depth: 'deep', writes: 'create' });
  gate.learn({ forms: [empty] });
  assert.is(decided(gate, { path: '/pick', body: 'x=a' }), 'not-observed', 'nothing is known of its fields');
  const request = { ...form, fields: [{ name: 'kind', type: 'text', value: 'a' }] };
  gate.learn({ requests: [request] });
  assert.is(decided(gate, { path: '/pick', body: 'x=a' }), 'not-observed', 'what its script sends was not observed');
  for (const key of keysOfVerdict('unknown', keysOfForm(request))) gate.observed(key, 'unknown');
  assert.is(decided(gate, { path: '/pick', body: 'x=a' }), 'allowed', 'its script sends it');
  gate.learn({ forms: [form] });
  for (const key of keysOfVerdict('reads', keysOfForm(form))) gate.observed(key, 'reads');
  assert.is(decided(gate, { path: '/pick', body: 'way=b&x=a' }), 'allowed', 'a script fills it');
});

const base64Of = (text: string): string => Buffer.from(text).toString('base64');

test('a word that several identities have in a cookie makes nobody an administrator, and what one alone has does', () => {
  const lasting = (whose: readonly string[], value: string) => {
    const gate = open({ depth: 'deep', writes: 'create' });
    for (const name of whose) gate.noteSession([value], name === 'root' ? 'admin' : 'user', name);
    const headers = [['Cookie', `choice=${value}`] as const];
    return gate.decide({ ...requestOf({ path: '/motto', body: 'motto=a' }), headers }, 'lasting').allowed;
  };
  assert.is(lasting(['root', 'anna'], 'english'), true);
  assert.is(lasting(['anna', 'root', 'anna'], 'english'), true);
  assert.is(lasting(['root', 'root'], 'english'), false);
  assert.is(lasting(['root', 'anna'], 'k3j5h2g7d9'), false);
  const settings = base64Of('{"lang":"en","theme":"dark","rows":10}');
  assert.is(lasting(['root', 'anna'], settings), true, 'both have the same settings');
  assert.is(lasting(['root'], settings), false);
  for (const [value, isSent] of [
    ['english', true],
    ['k3j5h2g7d9', false],
  ] as const) {
    const gate = open({ depth: 'deep', writes: 'create' });
    gate.noteChoices([`choice=${value}; Path=/`]);
    gate.noteSession([value], 'admin', 'root');
    const headers = [['Cookie', `choice=${value}`] as const];
    const request = { ...requestOf({ path: '/motto', body: 'motto=a' }), headers };
    assert.is(gate.decide(request, 'lasting').allowed, isSent, value);
  }
});

test('a licence goes as far as its work', () => {
  const gate = open({ depth: 'deep' });
  assert.is(decided(gate, { path: '/login', body: 'user=a&pass=b', as: 'anna' }, 'credentials'), 'allowed');
  assert.is(decided(gate, { path: '/logout' }, 'credentials'), 'ends-session');
  assert.is(decided(gate, { path: '/logout' }, 'own-session'), 'allowed');
  assert.is(decided(gate, { method: 'PUT', path: '/profile', body: 'a=b' }, 'write'), 'allowed');
  assert.is(decided(gate, { method: 'DELETE', path: '/notes/3' }, 'undo'), 'allowed');
  assert.is(decided(gate, { path: '/items/delete', body: 'a=b' }, 'observation'), 'would-act');
});

test('what stays is sent by its licence alone, in a deep scan of a test system, never as an administrator in the place of what is there, nor what acts by its words', () => {
  const decide = (
    settings: Partial<GateSettings>,
    asked: Partial<Asked> = {},
    licence: Licence | undefined = 'lasting',
  ) => decided(open(settings), { path: '/guestbook', body: 'who=a&words=b', ...asked }, licence);
  const create = { depth: 'deep', writes: 'create' } as const;
  assert.is(decide(create), 'allowed');
  assert.is(decide(create, { as: 'anna' }), 'allowed');
  assert.is(decide(create, { as: 'root', path: '/motto', body: 'motto=a' }), 'not-observed');
  assert.is(decide(create, { as: 'root' }), 'allowed', 'nothing stands there yet');
  assert.is(decide({ depth: 'deep' }), 'not-observed');
  assert.is(decide({ writes: 'create' }), 'not-observed');
  assert.is(decide(create, { path: '/items/delete' }), 'would-act');
  assert.is(decide(create, { path: '/login', body: 'user=a&pass=b', as: 'anna' }), 'sensitive-fields');
});

test('a parameter that was seen to be stored is given values only where that is allowed', () => {
  const decide = (settings: Partial<GateSettings>, as?: string) => {
    const gate = open(settings);
    gate.observed(parameterKey(`${site}/wall?say=x`, 'say'), 'writes');
    return decided(gate, { path: '/wall?say=x', ...(as && { as }) });
  };
  assert.is(decide({ depth: 'deep', writes: 'create' }), 'allowed');
  assert.is(decide({ depth: 'deep', writes: 'create' }, 'root'), 'writes');
  assert.is(decide({ depth: 'deep' }), 'writes');
  assert.is(decide({ writes: 'create' }), 'writes');
});

test('what one visitor did not follow for its label, nobody is sent to, nor to others like it', () => {
  const gate = open();
  gate.learn({ refused: [`${site}/x/17`, `${site}/notes/5`], pages: [`${site}/notes/4`] });
  assert.is(decided(gate, { path: '/x/17' }), 'refused-before');
  assert.is(decided(gate, { path: '/x/18' }), 'refused-before');
  assert.is(decided(gate, { path: '/notes/5' }), 'refused-before');
  assert.is(decided(gate, { path: '/notes/6' }), 'allowed');
});

test('what is refused is reported by code, each place once and without values', () => {
  const gate = open();
  for (const id of [1, 2])
    assert.throws(
      () => gate.pass(requestOf({ path: `/items?do=del&id=${id}` })),
      (error: unknown) => error instanceof ProbeError && error.code === 'refused',
    );
  assert.equal(gate.refusals(), [{ code: 'would-act', places: ['GET /items'] }]);
});

test('a form is sent by its harmless button, and a request that presses another one is refused', () => {
  const gate = open({ depth: 'deep' });
  const two = `<form method=post action=/entries><input name=q type=search><button name=find value=1>Find</button><button name=delete-all value=1>Clear</button></form>
    <form action=/rows><input type=search name=q><button name=do value=show>Show</button><button name=do value=x7>Bin</button></form>`;
  const parsed = parsePage(two, `${site}/`).forms;
  assert.equal(
    parsed.map(({ label }) => label),
    ['Find', 'Show'],
  );
  gate.learn({ forms: parsed });
  assert.is(decided(gate, { path: '/entries', body: 'q=a&find=1' }), 'allowed');
  assert.is(decided(gate, { path: '/entries', body: 'q=a&delete-all=1' }), 'would-act');
  assert.is(decided(gate, { path: '/rows?q=a&do=show' }), 'allowed');
  assert.is(decided(gate, { path: '/rows?q=a&do=x7' }), 'would-act');
});

test('a procedure that JSON names is a request of its own, and one that acts is refused however others were seen to read', () => {
  const gate = open({ depth: 'deep' });
  const call = (method: string) => ({
    path: '/rpc',
    type: json,
    body: `{"jsonrpc":"2.0","method":"${method}","id":1}`,
  });
  const key = (method: string) => formKey(shapeOfRequest(requestOf(call(method))));
  assert.is.not(key('lamps.list'), key('lamps.count'));
  for (const method of ['lamps.list', 'deleteUser']) gate.observed(key(method), 'reads');
  assert.is(decided(gate, call('lamps.list')), 'allowed');
  assert.is(decided(gate, call('lamps.count')), 'not-observed');
  const testSystem = open({ depth: 'deep', writes: 'create' });
  assert.is(decided(testSystem, call('lamps.count')), 'allowed', 'its name asks');
  assert.is(decided(testSystem, { ...call('lamps.count'), as: 'root' }), 'not-observed');
  assert.is(decided(gate, call('deleteUser')), 'would-act');
  const odoo = '{"method":"call","params":{"model":"res.partner","method":"unlink","args":[[4]]}}';
  const batch = '[{"jsonrpc":"2.0","method":"lamps.list"},{"jsonrpc":"2.0","method":"orders.cancel"}]';
  for (const body of [odoo, batch]) assert.is(decided(gate, { path: '/rpc', type: json, body }), 'would-act');
});

test('a command that a member of a body names at an address for commands is refused however others were seen to read', () => {
  const gate = open({ depth: 'deep' });
  const bodies = [
    [json, '{"id":"delete_rows","filter":{}}'],
    [json, '{"action":{"name":"deleteRows"}}'],
    ['application/x-www-form-urlencoded', 'id=delete_rows'],
  ] as const;
  for (const [type, body] of bodies) {
    const call = { path: '/api/actions', type, body };
    gate.observed(formKey(shapeOfRequest(requestOf(call))), 'reads');
    assert.is(decided(gate, call), 'would-act', body);
  }
  const shown = { path: '/api/actions', type: json, body: '{"id":"export_preview"}' };
  gate.observed(formKey(shapeOfRequest(requestOf(shown))), 'reads');
  assert.is(decided(gate, shown), 'allowed');
  const elsewhere = { path: '/api/rows', type: json, body: '{"name":"delete_rows"}' };
  gate.observed(formKey(shapeOfRequest(requestOf(elsewhere))), 'reads');
  assert.is(decided(gate, elsewhere), 'allowed');
});

test('an administrator opens a page that makes something new twice on a test system, once in the browser, others until it was seen to make something', () => {
  const gate = open({ depth: 'deep', writes: 'create' });
  const page = { path: '/notes/new' };
  gate.pass(requestOf({ ...page, as: 'root' }));
  assert.is(decided(gate, { ...page, as: 'root' }), 'allowed');
  gate.pass(requestOf({ ...page, as: 'root' }));
  assert.is(decided(gate, { ...page, as: 'root' }), 'looked-once');
  assert.is(decided(gate, { path: '/notes/7', as: 'root' }), 'allowed');
  const script = { path: '/js/add_listeners.js', as: 'root' };
  gate.pass(requestOf(script));
  assert.is(decided(gate, script), 'allowed', 'a script is called like what it is for');
  assert.is(decided(open({ depth: 'deep' }), { ...page, as: 'root' }), 'would-act');
  const later = open({ depth: 'deep', writes: 'create' });
  later.learn({ opened: [site + page.path, `${site}/notes/7`] });
  assert.is(decided(later, { ...page, as: 'root' }), 'looked-once');
  assert.is(decided(later, { path: '/notes/7', as: 'root' }), 'allowed');
  assert.is(decided(later, { ...page, as: 'anna' }), 'allowed');
  const command = { path: '/index?id=notes&do=new', as: 'root' };
  for (let time = 0; time < 2; time += 1) later.pass(requestOf(command));
  assert.is(decided(later, command), 'looked-once');
  assert.is(decided(open({ depth: 'deep' }), command), 'would-act');
  assert.is(decided(open({ depth: 'deep' }), { ...command, path: '/index?id=notes&type=new' }), 'allowed');
  later.observed(pageKey(site + page.path), 'writes');
  for (const as of ['anna', 'root']) assert.is(decided(later, { ...page, as }), 'writes');
  assert.is(decided(later, page), 'writes');
});

test('on a test system the page that shows one thing to be edited takes values of ours, and nothing else of the kind does', () => {
  const page = { path: "/modifyitem?id=7'", as: 'anna' };
  for (const [settings, expected] of [
    [{ writes: 'create' }, 'allowed'],
    [{ writes: 'reversible' }, 'would-act'],
  ] as const) {
    const gate = open({ depth: 'deep', ...settings });
    assert.is(decided(gate, page), 'would-act', 'nobody has seen such a page');
    gate.learn({ pages: [`${site}/modifyitem?id=7`, `${site}/runitem?id=7`] });
    assert.is(decided(gate, page), expected);
    assert.is(decided(gate, { ...page, as: 'root' }), 'would-act');
    assert.is(decided(gate, { path: '/modifyitem?id=7&price=1', as: 'anna' }), 'would-act');
    assert.is(decided(gate, { path: "/runitem?id=7'", as: 'anna' }), 'would-act');
  }
});

test('a parameter that no form has makes no submission of a page that shares its address with forms', () => {
  const gate = open({ depth: 'deep' });
  const buttons = `<form action=/pages><input type=hidden name=id value=start><input type=search name=q></form>
    <form action=/pages><input type=hidden name=id value=start><input type=hidden name=tool value=old><button>Older</button></form>`;
  gate.learn({ forms: parsePage(buttons, `${site}/pages?id=start`).forms });
  assert.is(decided(gate, { path: '/pages?id=start' }), 'allowed');
  assert.is(decided(gate, { path: '/pages?id=start&x7k2=x7k2' }), 'allowed');
  assert.is(decided(gate, { path: '/pages?id=start&tool=old&x7k2=x7k2' }), 'not-observed');
});

test('a document of XML has the fields that its elements name, with what it declares left out, as JSON has its members', () => {
  const declared = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///a">]>';
  const xml = shapeOfRequest(
    requestOf({ path: '/find', type: 'application/xml', body: `${declared}<root><q>&x;</q><n:page>2</n:page></root>` }),
  );
  const members = shapeOfRequest(requestOf({ path: '/find', type: json, body: '{"q":"a","page":2}' }));
  assert.equal(xml.fields, ['q', 'page']);
  assert.is(formKey(xml), formKey(members));
});

test('an account is opened on a test system alone, by a recorded POST of nobody', () => {
  const asked = {
    method: 'POST',
    path: '/users/register',
    body: '{"user":"a","password":"b"}',
    type: 'application/json',
  };
  const decided = (settings: Partial<GateSettings>, licence: Licence | undefined, as?: string, method = 'POST') =>
    open(settings).decide(requestOf({ ...asked, method, ...(as ? { as } : {}) }), licence).allowed;
  const system = { depth: 'deep', writes: 'create' } as const;
  assert.is(decided(system, 'registration'), true);
  for (const licence of [undefined, 'lasting', 'observation'] as const) assert.is(decided(system, licence), false);
  assert.is(decided({ ...system, writes: 'reversible' }, 'registration'), false);
  assert.is(decided({ ...system, depth: 'standard' }, 'registration'), false);
  assert.is(decided(system, 'registration', 'session-of-anna'), false);
  assert.is(decided(system, 'registration', undefined, 'DELETE'), false);
  // Accounts that it opened change their own.
  assert.is(decided(system, 'own-account', undefined, 'PUT'), true);
  assert.is(decided({ ...system, writes: 'reversible' }, 'own-account', undefined, 'PUT'), false);
  assert.is(decided(system, 'own-account', 'session-of-root'), false);
  assert.is(decided(system, 'own-account', undefined, 'DELETE'), false);
  // The page that an answer to it led to, whatever token is in its address.
  assert.is(decided(system, 'registration', undefined, 'GET'), true);
  assert.is(decided({ ...system, writes: 'reversible' }, 'registration', undefined, 'GET'), false);
});

test('a login that takes several pages is gone through by nobody in particular, at its own addresses', () => {
  const decided = (path: string, settings: Partial<GateSettings> = {}, method = 'POST') =>
    open({ depth: 'deep', writes: 'reversible', ...settings }).decide(
      requestOf({ method, path, body: 'username=a&password=b' }),
      'login-step',
    ).allowed;
  for (const path of ['/login', '/login/password', '/auth/verify', '/signin/step2', '/session'])
    assert.is(decided(path), true, path);
  for (const path of ['/account/delete', '/cart/add', '/logout', '/password/change', '/login/delete', '/users/remove'])
    assert.is(decided(path), false, path);
  assert.is(decided('/login', { writes: 'none' }), false);
  assert.is(decided('/login', { depth: 'standard' }), false);
  assert.is(decided('/login', {}, 'DELETE'), false);
});

test('what is called a report is read on a test system, with any value, and asked for nowhere else', () => {
  const url = `${site}/index.php?do=report&path=${encodeURIComponent('reports/q1.txt')}`;
  const asked = (writes: 'create' | 'reversible', path = url) =>
    open({ depth: 'deep', writes }).decide({ method: 'GET', url: path, headers: [['Cookie', 'sid=session-of-anna']] })
      .allowed;
  assert.is(asked('create'), true);
  assert.is(asked('reversible'), false);
  assert.is(asked('create', `${site}/index.php?do=delete&path=q1.txt`), false);
});

test('a thing is put into a basket on a test system alone, by a recorded POST, and nothing else is done there', () => {
  const decided = (path: string, settings: Partial<GateSettings> = {}, body = 'id=7&quantity=1', method = 'POST') =>
    open({ depth: 'deep', writes: 'create', ...settings }).decide(requestOf({ method, path, body }), 'basket').allowed;
  for (const path of ['/cart/add', '/addtocart', '/basket/lines', '/api/cart']) assert.is(decided(path), true, path);
  for (const path of ['/cart/checkout', '/cart/pay', '/cart/delete', '/order/place', '/logout'])
    assert.is(decided(path), false, path);
  for (const body of ['id=7&action=checkout', '{"id":7,"then":"buyNow"}', 'id=7&do=place_order'])
    assert.is(decided('/cart/add', {}, body), false, body);
  assert.is(decided('/cart/add', {}, 'id=7&password=a'), false);
  assert.is(decided('/cart/add', { writes: 'reversible' }), false);
  assert.is(decided('/cart/add', { depth: 'standard' }), false);
  assert.is(decided('/cart/add', {}, '', 'DELETE'), false);
});

test('on a test system an entry that is there is changed when the audit has made it, and none is named that no page names', () => {
  const edit = (id: string, name: string) =>
    `<form method=post action=/goods><input type=hidden name=id value="${id}"><input name=name value="${name}"></form>`;
  const reply =
    '<form method=post action=/replies><input type=hidden name=post_id value=5><input name=who value=Anna><textarea name=text></textarea></form>';
  const shown = parsePage(
    [edit('5', 'oak'), edit('7', 'v1nonce234'), edit('', ''), reply].join(''),
    `${site}/all`,
  ).forms;
  const gate = createGate({ depth: 'deep', writes: 'create' });
  gate.learn({ forms: shown });
  const [, own] = shown.flatMap((form) => entryOfForm(form) ?? []);
  if (!own) throw new Error('no entry was read');
  for (const form of shown) for (const key of keysOfVerdict('writes', keysOfForm(form))) gate.observed(key, 'writes');
  for (const key of keysOfEntry(own)) gate.observed(key, 'writes');
  const saved = (id: string, licence?: Licence) => decided(gate, { path: '/goods', body: `id=${id}&name=x` }, licence);
  assert.equal(
    ['', '7', "7'", 'word'].map((id) => saved(id)),
    Array(4).fill('allowed'),
  );
  assert.equal(
    ['5', '05', "5'", '6'].map((id) => saved(id)),
    Array(4).fill('others-entry'),
  );
  assert.equal(
    ['5', '6'].map((id) => saved(id, 'lasting')),
    ['others-entry', 'allowed'],
    'what was just made is known to nobody',
  );
  const first = createGate({ depth: 'deep', writes: 'create' });
  first.learn({ forms: shown.slice(0, 1) });
  for (const form of shown) for (const key of keysOfVerdict('writes', keysOfForm(form))) first.observed(key, 'writes');
  assert.equal(
    ['5', "5'", '6'].map((id) => decided(first, { path: '/goods', body: `id=${id}&name=x` })),
    ['allowed', 'allowed', 'others-entry'],
    'where the audit has none of its own',
  );
  const replied = (id: string) => decided(gate, { path: '/replies', body: `post_id=${id}&who=x&text=y` });
  assert.equal(['5', "5'", '6'].map(replied), ['allowed', 'allowed', 'others-entry']);
});

test.run();
