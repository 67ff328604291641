import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inputAction } from '../../../workflows/checks/inputs/input-request.ts';
import { jsonWith } from '../../../workflows/checks/inputs/json-inputs.ts';
import { keysOfRequest } from '../../../workflows/probe/gate/form-key.ts';
import { bodyInputs } from '../../../workflows/survey/body-inputs.ts';
import { formInputs } from '../../../workflows/survey/form-inputs.ts';
import { createInputList } from '../../../workflows/survey/inputs.ts';
import { parsePage } from '../../../workflows/survey/page.ts';

const test = suite('inputs of bodies');

const url = 'https://shop.example/api/search';
const inputsOf = (value: unknown, contentType = 'application/json') =>
  bodyInputs({ method: 'POST', url, contentType, body: JSON.stringify(value) }).inputs;

test('texts and numbers are inputs wherever they stand in JSON, of a list the first', () => {
  const inputs = inputsOf({ filter: { text: 'lamp', 'a/b': 1 }, ids: [7, 8], on: true, none: null });
  assert.equal(
    inputs.map(({ parameter, sample, json }) => [parameter, sample, json?.pointer]),
    [
      ['filter.text', 'lamp', '/filter/text'],
      ['filter.a/b', '1', '/filter/a~1b'],
      ['ids.0', '7', '/ids/0'],
    ],
  );
});

test('of values with one name the last is an input, and none of the others is left out', () => {
  const pairs = Array.from({ length: 60 }, (_, index): [string, string] => ['row', String(index)]);
  const body = new URLSearchParams([...pairs, ['mark', 'read']]).toString();
  const sent = { method: 'POST', url, contentType: 'application/x-www-form-urlencoded', body };
  const { inputs, left } = bodyInputs(sent);
  assert.equal(
    [inputs.map(({ parameter, sample }) => [parameter, sample]), left],
    [
      [
        ['row', '59'],
        ['mark', 'read'],
      ],
      0,
    ],
  );
});

test('JSON that a script sends as text is read as well, and fields and files that it sends so are not', () => {
  const ofText = (body: string) =>
    bodyInputs({ method: 'POST', url, contentType: 'text/plain;charset=UTF-8', body }).inputs.map(
      ({ parameter, contentType }) => `${parameter} ${contentType}`,
    );
  assert.equal(ofText('{"town":"Ulm"}'), ['town application/json']);
  assert.equal([...ofText('town=Ulm'), ...ofText('GIF89a\u0001\u0000'), ...ofText('')], []);
});

test('another text that a script sends is an input as a whole, and is sent as the text it is', () => {
  const sent = { method: 'POST', url, contentType: 'text/plain;charset=UTF-8' };
  const [input, ...others] = bodyInputs({ ...sent, body: 'A short text.' }).inputs;
  assert.ok(input);
  assert.equal([input.parameter, input.sample, others.length], ['body', 'A short text.', 0]);
  const action = inputAction(input, 'x"; id #');
  assert.equal([action.headers?.[0], action.body], [['content-type', 'text/plain;charset=utf-8'], 'x"; id #']);
  const keyWith = (body: string) =>
    keysOfRequest({ method: 'POST', url, headers: [['Content-Type', sent.contentType]], body }).exact;
  assert.is(keyWith('A short text.'), keyWith('another=one&more'));
});

test('a value takes the place of its own alone, and a number stays one', () => {
  const body = JSON.stringify({ filter: { text: 'lamp', max: 50 } });
  const put = (pointer: string, value: string) => JSON.parse(jsonWith({ body, pointer }, value)).filter;
  assert.equal(put('/filter/text', `a"'b`), { text: `a"'b`, max: 50 });
  assert.equal(put('/filter/max', '7'), { text: 'lamp', max: 7 });
  assert.equal(put('/filter/max', "7'"), { text: 'lamp', max: "7'" });
});

test('a hidden object in base64 is an input, and what chance has made is given anew', () => {
  const named = (value: string) => {
    const form = `<form method=post><input type=hidden name=state value="${value}"><input name=what></form>`;
    const [found] = parsePage(form, 'https://shop.example/order').forms;
    return (found ? formInputs(found) : []).map(({ parameter }) => parameter);
  };
  const object = Buffer.from('O:5:"Order":2:{s:5:"items";a:0:{}s:4:"note";s:0:"";}').toString('base64');
  assert.equal(named(object), ['state', 'what']);
  assert.equal(named(Buffer.from('{"step":2,"plan":"basic"}').toString('base64')), ['state', 'what']);
  assert.equal(named(Buffer.from('<plan><step>2</step></plan>').toString('base64')), ['state', 'what']);
  assert.equal(named('q0vX3kM1b8ZtYw5cR7uHs2LdPf9JgA4e'), ['what']);
  assert.equal(named('5f2c9e01ab7743d08c1b6e2f90aa3d71'), ['what']);
  assert.equal(named(Buffer.from('5f2c9e01ab7743d08c1b6e2f90aa3d71').toString('base64')), ['what']);
});

test('of GraphQL the variables are inputs, of what is asked for, however an operation is called', () => {
  const ask = (name: string, field: string) =>
    inputsOf({ query: `query ${name}($id: ID) { it: ${field}(id: $id) { title } }`, variables: { id: '1' } });
  const inputs = [...ask('One', 'lamp'), ...ask('Two', 'lamp'), ...ask('One', 'shelf')];
  assert.equal(
    inputs.map(({ parameter, route }) => `${route} ${parameter}`),
    ['/api/search#lamp variables.id', '/api/search#lamp variables.id', '/api/search#shelf variables.id'],
  );
  const [fragment] = inputsOf({ query: 'query One($id: ID) { ...Part }', variables: { id: '1' } });
  assert.is(fragment?.route, '/api/search#One');
});

test('procedures of one address have inputs of their own, and share what stands around them', () => {
  const ask = (method: string, params: object) => inputsOf({ jsonrpc: '2.0', id: 1, method, params });
  const inputs = [...ask('parts.find', { text: 'winch' }), ...ask('parts.get', { id: 3 })];
  assert.equal(
    [...new Set(inputs.map(({ parameter, route }) => `${route} ${parameter}`))],
    [
      '/api/search jsonrpc',
      '/api/search id',
      '/api/search method',
      '/api/search#parts.find params.text',
      '/api/search#parts.get params.id',
    ],
  );
  const [action, id] = inputsOf({ action: 'getOrder', id: 17 });
  assert.equal([action?.route, id?.route], ['/api/search', '/api/search#getOrder']);
  assert.equal([...new Set(inputsOf({ action: 'a b', method: 'POST 1' }).map(({ route }) => route))], ['/api/search']);
});

test('values that stand in the text of a GraphQL query are inputs, and a value takes the place of one of them', () => {
  const query = '{ lamps(search: "old \\"lamp\\"", range: { min: 3 }) @include(if: true) { id(format: HEX) } }';
  const inputs = inputsOf({ query });
  assert.equal(
    inputs.map(({ parameter, sample }) => [parameter, sample]),
    [
      ['query.lamps.search', 'old "lamp"'],
      ['query.lamps.min', '3'],
    ],
  );
  const sent = (index: number, value: string): string => {
    const input = inputs[index];
    assert.ok(input);
    return JSON.parse(inputAction(input, value).body ?? '').query;
  };
  assert.match(sent(0, `a"'b`), `(search: "a\\"'b", range: { min: 3 })`);
  assert.match(sent(1, '7'), 'range: { min: 7 }');
  assert.match(sent(1, "7'"), 'range: { min: "7\'" }');
});

test('texts of XML are inputs, and a value takes the place of one of them', () => {
  const body =
    '<?xml version="1.0"?><!-- <a>no</a> --><s:order xmlns:s="urn:s"><s:item><s:name>l&amp;p</s:name><n/></s:item><depot></depot></s:order>';
  const { inputs } = bodyInputs({ method: 'POST', url, contentType: 'text/xml; charset=utf-8', body });
  assert.equal(
    inputs.map(({ parameter, sample }) => [parameter, sample]),
    [
      ['item.name', 'l&p'],
      ['depot', ''],
    ],
  );
  const [name] = inputs;
  assert.ok(name);
  const sent = inputAction(name, `<'&`);
  assert.equal(sent.headers?.[0], ['content-type', 'text/xml; charset=utf-8']);
  assert.equal(sent.body, body.replace('l&amp;p', "&lt;'&amp;"));
});

test('what is no XML has no texts', () => {
  for (const body of ['<a><b>', '<a></b>', 'text', '<a>'.repeat(5_000)])
    assert.equal(bodyInputs({ method: 'POST', url, contentType: 'application/xml', body }).inputs, []);
});

test('what is no object, too long, or sent by a method without a body has none', () => {
  assert.equal(inputsOf('text'), []);
  assert.equal(inputsOf({ q: 'a'.repeat(20_000) }), []);
  assert.equal(bodyInputs({ method: 'DELETE', url, contentType: 'application/json', body: '{"q":"a"}' }).inputs, []);
  assert.equal(bodyInputs({ method: 'POST', url, contentType: 'application/json', body: '{"q":' }).inputs, []);
});

test('what replaces or changes something has inputs with its method', () => {
  for (const method of ['PUT', 'PATCH']) {
    const { inputs } = bodyInputs({ method, url, contentType: 'application/json', body: '{"q":"a"}' });
    assert.equal([inputs[0]?.method, inputs[0]?.parameter], [method, 'q']);
  }
});

test('fields of a form that a script sends are inputs', () => {
  const body = 'q=desk+lamp&max=5';
  const { inputs } = bodyInputs({
    method: 'POST',
    url,
    contentType: 'application/x-www-form-urlencoded; charset=UTF-8',
    body,
  });
  assert.equal(
    inputs.map(({ parameter, sample, others }) => [parameter, sample, others]),
    [
      ['q', 'desk lamp', [{ name: 'max', value: '5' }]],
      ['max', '5', [{ name: 'q', value: 'desk lamp' }]],
    ],
  );
});

test('a token that the page of a script gives for a field goes along and is not tried', () => {
  const contentType = 'application/x-www-form-urlencoded';
  const page = { url: 'https://shop.example/list', tokens: [{ field: 'viewnonce' }] };
  const sent = { method: 'POST', url, contentType, page };
  const { inputs } = bodyInputs({ ...sent, body: 'word=lamp&viewnonce=a7ea353f3e' });
  assert.equal(
    inputs.map(({ parameter, others }) => [parameter, others]),
    [['word', [{ name: 'viewnonce', value: 'a7ea353f3e' }]]],
  );
  assert.equal(bodyInputs({ ...sent, body: 'viewnonce=a7ea353f3e' }).inputs, []);
  assert.is(bodyInputs({ ...sent, page: { ...page, tokens: [] }, body: 'viewnonce=a7ea353f3e' }).inputs.length, 1);
});

test('hidden tokens of a form are read anew and not tried, and what it demands is filled in', () => {
  const field = (name: string, type: string, value = '') => ({ name, type, value });
  const inputs = formInputs({
    ...{ pageUrl: 'https://shop.example/', action: url, method: 'POST', enctype: 'multipart/form-data' },
    fields: [
      field('csrfmiddlewaretoken', 'hidden', 'abc'),
      field('state', 'hidden', 'f3a9c07bd1e24c55'),
      field('lang', 'hidden', 'en'),
      { ...field('mail', 'email'), isRequired: true },
      field('size', 'radio', 's'),
      field('size', 'radio', 'l'),
    ],
  });
  assert.equal(
    inputs.map(({ parameter }) => parameter),
    ['lang', 'mail', 'size'],
  );
  assert.equal(inputs[0]?.page?.tokens, [{ field: 'csrfmiddlewaretoken' }, { field: 'state' }]);
  assert.equal(inputs[0]?.others.slice(2), [
    { name: 'mail', value: 'audit@example.com' },
    { name: 'size', value: 's' },
  ]);
});

test('a box that nobody ticks is tried and not sent along, and of radio buttons the marked one is', () => {
  const [form] = parsePage(
    `<form action=/save method=post><input type=radio name=size value=s><input type=radio name=size value=l checked>
     <input type=checkbox name=news value=1><input type=checkbox name=terms required><input type=checkbox name=gift checked></form>`,
    'https://shop.example/',
  ).forms;
  const inputs = form ? formInputs(form) : [];
  assert.equal(
    inputs.map(({ parameter, sample }) => `${parameter}=${sample}`),
    ['size=l', 'news=1', 'terms=on', 'gift=on'],
  );
  const [first] = inputs;
  assert.equal(
    first?.others.map(({ name }) => name),
    ['terms', 'gift'],
  );
});

test('matrix parameters of a path are inputs, identifiers of sessions are not', () => {
  const list = createInputList();
  list.addUrl('https://shop.example/cars;color=red;jsessionid=1A2B/doors;count=4');
  assert.equal(
    list.all().map(({ parameter, sample, in: place }) => [place, parameter, sample]),
    [
      ['path', '1;color', 'red'],
      ['path', '2;count', '4'],
    ],
  );
});

test('what a search is saved under is left empty beside what is filled in', () => {
  const page = parsePage('<form method=post action=/board><input name=title><input name=query_name></form>', url);
  const [title, saved] = page.forms.flatMap(formInputs);
  assert.equal([title?.others, saved?.others], [[{ name: 'query_name', value: '' }], [{ name: 'title', value: 'a' }]]);
});

test.run();
