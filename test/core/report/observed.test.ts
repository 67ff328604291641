import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { observed } from '../../../core/report/observed.ts';
import { AssertionSchema, ObservationSchema } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';

const test = suite('what a report shows of an answer');

const headers = ['Content-Type', 'Server', 'Location', 'X-Frame-Options', 'Set-Cookie'].map((name) => ({
  name,
  value: `value of ${name}`,
}));

/** What is in sight, and what is folded away, without markup. */
function shown(observation: MessageInitShape<typeof ObservationSchema>, ...subjects: string[]): [string, string] {
  const assertions = subjects.map((subject) => create(AssertionSchema, { subject }));
  const { text } = observed(create(ObservationSchema, { headers, ...observation }), assertions);
  const at = text.indexOf('<details');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

test('headers that nothing was claimed about are folded away, but for those that say what it is', () => {
  const [inSight, folded] = shown({ summary: 'HTTP/1.1 200' }, 'status', 'body');
  for (const name of ['Content-Type', 'Location']) assert.match(inSight, `\n${name}: value`);
  for (const name of ['Server', 'X-Frame-Options', 'Set-Cookie']) {
    assert.not.match(inSight, name);
    assert.match(folded, `${name}: value`);
  }
  assert.match(folded, '<summary>3 further headers</summary>');
});

for (const subject of ['header:strict-transport-security', 'headers:set-cookie', 'cookie:sid']) {
  test(`a claim about ${subject} keeps all of them in sight, those that lack it too`, () => {
    const [inSight, folded] = shown({}, subject);
    for (const { name } of headers) assert.match(inSight, name);
    assert.is(folded, '');
  });
}

test('a header that holds what decides stays in sight, marked', () => {
  const [inSight] = shown({ marks: ['value of Server'] }, 'body');
  assert.match(inSight, 'Server: <mark>value of Server</mark>');
});

test('of an answer without what decides the beginning is in sight, and the rest folded away', () => {
  const [inSight, folded] = shown({ headers: [], excerpt: 'a'.repeat(799) + 'bc'.repeat(300), marks: ['zzz'] });
  assert.match(inSight, 'aab …');
  assert.match(folded, '<summary>The rest of the excerpt</summary>');
  assert.match(folded, '<code>cbc');
});

test('an answer that holds it is in sight as a whole', () => {
  const [inSight, folded] = shown({ headers: [], excerpt: `${'a'.repeat(2_000)}<b>`, marks: ['<b>'] });
  assert.match(inSight, 'aaa<mark>&lt;b&gt;</mark>');
  assert.is(folded, '');
});

test.run();
