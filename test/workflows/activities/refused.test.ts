import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusalReporter } from '../../../workflows/activities/refused.ts';
import { omittedBy } from '../../../workflows/checks/omitted.ts';
import type { InputSurface, Surface } from '../../../workflows/model/surface.ts';
import { createGate } from '../../../workflows/probe/gate/gate.ts';

const test = suite('what the write gate refuses when it is about to be sent');

const site = 'https://shop.example';
const openGate = () => createGate({ depth: 'deep', writes: 'reversible' });
const input = (path: string): InputSurface => ({
  ...{ method: 'POST', url: site + path, route: path, parameter: 'text', in: 'body', sample: '', others: [] },
  contentType: 'application/x-www-form-urlencoded',
});
const surface = (...inputs: InputSurface[]): Surface => ({
  ...{
    url: `${site}/`,
    host: 'shop.example',
    addresses: [],
    origins: [],
    pages: [],
    calls: [],
    explored: [],
    skipped: [],
    omitted: [],
  },
  ...{ forms: [], inputs },
});

/** @returns the error */
function send(gate: ReturnType<typeof openGate>, method: string, path: string): unknown {
  try {
    gate.pass({ method, url: site + path, headers: [] });
  } catch (error) {
    return error;
  }
  throw new Error('it was let pass');
}

test('is reported by reason, each place once', () => {
  const gate = openGate();
  for (const id of [1, 2, 3]) send(gate, 'DELETE', `/notes/${id}`);
  send(gate, 'POST', '/track');
  send(gate, 'GET', '/logout');
  assert.equal(
    refusalReporter(gate, [])().map(({ code, count, text }) => [code, count, text]),
    [
      ['would_act', 2, '2 links and controls that act were not followed (for instance DELETE /notes/{id})'],
      ['not_observed', 1, 'one form was not sent: what it does was not observed (POST /track)'],
    ],
  );
});

test('is not reported again where the observation of forms or the survey reported it', () => {
  const gate = openGate();
  send(gate, 'POST', '/notes');
  send(gate, 'GET', '/logout');
  const seen = surface(input('/notes'));
  seen.skipped.push({ url: `${site}/logout`, code: 'ends-session', reason: '' });
  assert.equal(refusalReporter(gate, [seen])(), []);
});

test('is not reported again where a check reported it, which says why it was refused', () => {
  const gate = openGate();
  const error = send(gate, 'POST', '/notes');
  const reported = omittedBy(error, 1, 'refused at /notes');
  assert.is(reported.code, 'not_observed');
  assert.equal(refusalReporter(gate, [])([reported]), []);
});

test('is one more place behind five hundred', () => {
  const gate = openGate();
  const word = (index: number) => [...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  for (let index = 0; index < 600; index += 1) send(gate, 'POST', `/x${word(index)}`);
  assert.equal(
    refusalReporter(gate, [])().map(({ count }) => count),
    [501],
  );
});

test.run();
