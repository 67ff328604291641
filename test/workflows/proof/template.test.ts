import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Action, claim } from '../../../workflows/model/experiment.ts';
import { fill, fillAction, fillAssertion, newTrialValues } from '../../../workflows/proof/template.ts';

const test = suite('values of a trial');

const values = () => {
  let count = 0;
  return newTrialValues(() => `n${++count}`);
};

test('a nonce is the same throughout a trial and another for each name', () => {
  const trial = values();
  assert.is(fill('‹nonce› ‹nonce2› ‹nonce›', trial), 'n1 n2 n1');
  assert.is(fill('‹nonce›', trial), 'n1');
});

test('numbers have four digits, and their product is exact', () => {
  const trial = values();
  const [a, b, product] = fill('‹int›·‹int2›·‹product:int:int2›', trial).split('·').map(Number);
  assert.ok((a ?? 0) >= 1_000 && (a ?? 0) <= 9_999);
  assert.is(product, (a ?? 0) * (b ?? 0));
});

test('delays come in an order of their own in each trial, two of them none, and the long ones are twice as long', () => {
  const orders = new Set<string>();
  for (let count = 0; count < 60; count += 1) {
    const trial = values();
    const delays = fill('‹delay1› ‹delay2› ‹delay3› ‹delay4›', trial).split(' ');
    assert.equal(delays.toSorted(), ['0', '0', '1', '2']);
    assert.is(fill('‹longdelay2›', trial), String(2 * Number(delays[1])));
    orders.add(delays.join());
  }
  assert.ok(orders.size > 6, String(orders.size));
});

test('captured values are put in, percent-encoded when asked', () => {
  const trial = values();
  trial.set('path', 'a b&c');
  assert.is(fill('?x=‹path›&y=‹encode:path›', trial), '?x=a b&c&y=a%20b%26c');
});

test('what looks like a reference and is none stays as it is', () => {
  const text = '‹unknown› ‹› ‹a b› ‹product:unknown:int› ‹encode:unknown› ‹noncense›';
  assert.is(fill(text, values()), text);
});

test('a value is never read as a template or a replacement pattern again', () => {
  const trial = values();
  trial.set('evil', '‹nonce› $& $1');
  assert.is(fill('[‹evil›]', trial), '[‹nonce› $& $1]');
});

test('in a pattern a value stands for itself, in other claims for its characters', () => {
  const trial = values();
  trial.set('price', '1.5 (net)');
  assert.is(fillAssertion(claim('body', 'matches', '^‹price›$'), trial).expected, '^1\\.5 \\(net\\)$');
  assert.is(fillAssertion(claim('body', 'contains', '‹price›'), trial).expected, '1.5 (net)');
  assert.is(fillAssertion(claim('cookie:‹price›', 'present'), trial).subject, 'cookie:1.5 (net)');
});

test('every string of every kind of action is a template', () => {
  const trial = values();
  const actions: Action[] = [
    {
      http: {
        method: 'POST',
        url: '/‹nonce›',
        headers: [['X-‹nonce›', '‹nonce›']] as const,
        body: 'a=‹nonce›',
        secrets: ['‹nonce›'],
      },
    },
    {
      http: {
        url: '/',
        write: {
          description: 'Adds ‹nonce›.',
          undo: {
            method: 'DELETE',
            url: '/‹nonce›',
            body: '‹nonce›',
            fresh: { url: '/‹nonce›', capture: [{ name: 'token', subject: 'header:‹nonce›', pattern: '‹nonce›(.+)' }] },
          },
          verify: { url: '/‹nonce›', expect: [claim('header:‹nonce›', 'equals', '‹nonce›')] },
        },
      },
    },
    { tls: { host: '‹nonce›.example', port: 443, serverName: '‹nonce›' } },
    { dns: { name: '‹nonce›.example', type: 'TXT' } },
    { browser: { url: '/‹nonce›', clicks: ['#‹nonce›'], page: '<p>‹nonce›' } },
  ];
  const filled = actions.map((action) => fillAction(action, trial));
  const text = JSON.stringify(filled);
  assert.not.match(text, /‹/);
  assert.is(text.split('n1').length - 1, 20);
});

test('what an undo reads afresh stays a reference, though the trial has captured the same', () => {
  const trial = values();
  trial.set('token', 'of-the-trial');
  const action = fillAction(
    {
      http: {
        url: '/',
        body: 'token=‹token›',
        write: {
          description: 'Adds one.',
          undo: {
            method: 'POST',
            url: '/',
            body: 'token=‹encode:token›',
            fresh: { url: '/form', capture: [{ name: 'token', subject: 'body', pattern: '.+' }] },
          },
          verify: { url: '/', expect: [claim('body', 'equals', '')] },
        },
      },
    },
    trial,
  );
  assert.ok('http' in action);
  assert.equal([action.http.body, action.http.write?.undo.body], ['token=of-the-trial', 'token=‹encode:token›']);
});

test.run();
