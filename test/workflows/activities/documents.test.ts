import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { omittedOf } from '../../../workflows/activities/documents.ts';

const test = suite('what API documents have that the survey leaves out');

const nothing = { inside: [], outside: [], requestsLeftOut: 0, parametersLeftOut: 0, bodiesLeftOut: 0 };

test('is nothing, when all of it was within the limits', () => {
  assert.equal(omittedOf(nothing), []);
});

test('is a gap, when it exceeded the limits of a document', () => {
  assert.equal(
    omittedOf({ ...nothing, requestsLeftOut: 1, parametersLeftOut: 5, bodiesLeftOut: 2 }).map(
      ({ code, count, text }) => [code, count, text],
    ),
    [
      [
        'too_many',
        1,
        '1 request of the API documents was left out: a document may have 2,000, with addresses of 2,048 characters',
      ],
      ['too_many', 5, '5 parameters of the API documents were left out: a request of a document may have 100'],
      [
        'too_many',
        2,
        '2 bodies of the API documents were left out: a body is kept as JSON or a form, with 8,192 characters, 300 members and 8 levels',
      ],
    ],
  );
});

test('is reported in words for one and for several', () => {
  const inside = { method: 'PUT', url: '/a', parameters: [], contentType: '', body: '', title: '' };
  const texts = (count: number) =>
    omittedOf({
      ...nothing,
      inside: Array.from({ length: count }, () => inside),
      outside: [{ host: 'api.example', requests: count }],
    }).map(({ text }) => text);
  assert.equal(texts(1), [
    '1 request of the API documents would write and was not sent',
    '1 request of the API documents is for a host that this scan does not audit (api.example)',
  ]);
  assert.equal(texts(2), [
    '2 requests of the API documents would write and were not sent',
    '2 requests of the API documents are for a host that this scan does not audit (api.example)',
  ]);
});

test.run();
