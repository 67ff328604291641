import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inputAction } from '../../../../workflows/checks/inputs/input-request.ts';
import { inputsToProbe, loginNames } from '../../../../workflows/checks/inputs/probe-inputs.ts';
import type { InputSurface, Surface } from '../../../../workflows/model/surface.ts';

const test = suite('requests of inputs');

const input = (more: Partial<InputSurface>): InputSurface => ({
  method: 'GET',
  url: 'https://shop.example/list?of=lamps&max=5',
  route: '/list',
  parameter: 'of',
  in: 'query',
  sample: 'lamps',
  others: [{ name: 'max', value: '5' }],
  ...more,
});
const posted = (contentType: string) =>
  input({ method: 'POST', in: 'body', url: 'https://shop.example/search', contentType });

test('a space in an address is %20, and references of templates stay', () => {
  assert.is(inputAction(input({}), 'a b‹nonce›&').url, 'https://shop.example/list?of=a%20b‹nonce›%26&max=5');
});

test('a form is sent as browsers do, with its other fields', () => {
  const { method, headers, body } = inputAction(posted('application/x-www-form-urlencoded'), 'a b‹nonce›');
  assert.equal(
    [method, headers?.[0]?.[1], body],
    ['POST', 'application/x-www-form-urlencoded', 'max=5&of=a%20b‹nonce›'],
  );
});

test('a token against forged requests that its page gives anew is sent no other value', () => {
  const page = (field: string) => ({ page: { url: 'https://shop.example/search', tokens: [{ field }] } });
  const form = posted('application/x-www-form-urlencoded');
  const probed = (of: InputSurface) =>
    inputsToProbe({ inputs: [of], forms: [], pages: [], url: 'https://shop.example/' } as unknown as Surface).length;
  const token = { ...form, parameter: 'csrfmiddlewaretoken' };
  assert.is(probed({ ...token, ...page('csrfmiddlewaretoken') }), 0);
  assert.is(probed(token), 1, 'no page gives it anew');
  assert.is(probed({ ...form, parameter: '__VIEWSTATE', ...page('__VIEWSTATE') }), 1, 'a state');
});

test("a button's own label is sent no other value, and a parameter that links give values is", () => {
  const button = (value: string) => ({ name: 'go', type: 'submit', value });
  const probed = (sample: string, fields: readonly { name: string; type: string; value: string }[]) => {
    const form = { method: 'GET', action: 'https://shop.example/list', pageUrl: 'https://shop.example/', fields };
    const inputs = [input({ parameter: 'go', sample })];
    return inputsToProbe({ inputs, forms: [form], pages: [], url: 'https://shop.example/' } as unknown as Surface)
      .length;
  };
  assert.is(probed('Search', [button('Search')]), 0);
  assert.is(probed('rows', [button('Search')]), 1, 'a link has another value');
  assert.is(probed('Add', [button('Add'), button('Sort')]), 1, 'buttons of one name are a choice');
  assert.is(probed('Search', [{ name: 'go', type: 'text', value: 'Search' }]), 1, 'a field');
});

test('a value of JSON is text in it', () => {
  const { body } = inputAction(posted('application/json'), 'a"b‹nonce›');
  assert.equal(JSON.parse(body ?? ''), { max: '5', of: 'a"b‹nonce›' });
});

test('a value in a header or a cookie goes with the body that the page sends', () => {
  const form = posted('application/x-www-form-urlencoded');
  const inHeader = inputAction({ ...form, in: 'header', parameter: 'X-Colour' }, 'a;b');
  assert.equal([inHeader.method, inHeader.body, inHeader.headers?.at(-1)], ['POST', 'max=5', ['X-Colour', 'a;b']]);
  const json = { body: '{"max":5}', pointer: '' };
  const inCookie = inputAction({ ...posted('application/json'), in: 'cookie', parameter: 'colour', json }, 'a;b');
  assert.equal([inCookie.body, inCookie.headers?.at(-1)], ['{"max":5}', ['Cookie', 'colour=a%3Bb']]);
  assert.equal(inputAction(input({ in: 'header', parameter: 'X-Colour' }), 'a').method, undefined);
});

/** Two values of JSON that lets somebody in. */
const credentials = ['user', 'password'].map((name) =>
  input({
    ...{ method: 'POST', in: 'body', url: 'https://shop.example/api/login', parameter: name, others: [] },
    ...{ contentType: 'application/json', json: { body: '{"user":"a","password":"b"}', pointer: `/${name}` } },
  }),
);
const surface = { inputs: credentials, forms: [], pages: [] } as unknown as Surface;

test('the name of a login by JSON is tried with a password that nobody has, and by few checks', () => {
  const names = loginNames(surface);
  assert.equal(
    names.map((name) => inputAction(name, 'x').body),
    ['{"user":"x","password":"‹nonce9›"}'],
  );
  assert.equal(inputsToProbe(surface), []);
});

test.run();
