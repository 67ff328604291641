import { encode } from 'dns-packet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  compareLabels,
  isWithin,
  labelsOf,
  nameBytes,
  readMessage,
  readName,
  textOf,
} from '../../../../workflows/probe/dns/wire.ts';

const test = suite('DNS messages on the wire');

const header = (questions: number, answers: number): Buffer =>
  Buffer.from([0, 1, 0x84, 0, 0, questions, 0, answers, 0, 0, 0, 0]);

test('names in data are written out, and in lower case', () => {
  // The answer's owner and its target lead back to the question: "A.Example" MX 10 "mail.A.Example".
  const question = Buffer.concat([Buffer.from([1, 0x41, 7]), Buffer.from('Example'), Buffer.from([0, 0, 15, 0, 1])]);
  const data = Buffer.concat([Buffer.from([0, 10, 4]), Buffer.from('MAIL'), Buffer.from([0xc0, 12])]);
  const record = Buffer.concat([Buffer.from([0xc0, 12, 0, 15, 0, 1, 0, 0, 0, 60, 0, data.length]), data]);
  const { answers, isAuthoritative } = readMessage(Buffer.concat([header(1, 1), question, record]));
  assert.ok(isAuthoritative);
  assert.equal([answers[0]?.owner, answers[0]?.ttlSeconds], [['a', 'example'], 60]);
  assert.equal(answers[0]?.data, Buffer.concat([Buffer.from([0, 10]), nameBytes(labelsOf('mail.a.example'))]));
});

test('what a library writes is read', () => {
  const soa = {
    mname: 'NS.a.example',
    rname: 'Root.a.example',
    serial: 1,
    refresh: 2,
    retry: 3,
    expire: 4,
    minimum: 5,
  };
  const message = encode({ type: 'response', id: 7, answers: [{ name: 'a.example', type: 'SOA', ttl: 1, data: soa }] });
  const { id, answers } = readMessage(message);
  assert.is(id, 7);
  assert.equal(readName(answers[0]?.data ?? Buffer.alloc(0), 0).labels, ['ns', 'a', 'example']);
});

for (const [what, message] of [
  ['nothing', Buffer.alloc(0)],
  ['a header that promises more', header(1, 1)],
  ['a name that leads to itself', Buffer.concat([header(1, 0), Buffer.from([0xc0, 12, 0, 1, 0, 1])])],
  ['a name that leads onwards', Buffer.concat([header(1, 0), Buffer.from([0xc0, 14, 0xc0, 12, 0, 1, 0, 1])])],
  ['a name that is too long', Buffer.concat([header(1, 0), ...Array.from({ length: 6 }, () => Buffer.alloc(64, 63))])],
  ['a label of an unknown kind', Buffer.concat([header(1, 0), Buffer.from([0x80, 0, 0, 1, 0, 1])])],
  [
    'data that is longer than the message',
    Buffer.concat([header(0, 1), Buffer.from([0, 0, 1, 0, 1, 0, 0, 0, 0, 255, 255])]),
  ],
  [
    'a name that does not end within its data',
    Buffer.concat([header(0, 1), Buffer.from([0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 1, 3, 97, 98, 99, 0])]),
  ],
  [
    'more records than anybody has',
    Buffer.concat([Buffer.from([0, 1, 0x84, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0]), Buffer.alloc(64)]),
  ],
] as const) {
  test(`${what} is no message`, () => {
    assert.throws(
      () => readMessage(message),
      (error: unknown) => error instanceof RangeError,
    );
  });
}

test('labels may have any bytes, which people are shown escaped', () => {
  const bytes = Buffer.from([3, 0x61, 0x2e, 0x62, 2, 0xc4, 0x00, 0]);
  const { labels, end } = readName(bytes, 0);
  assert.equal([labels.length, end, textOf(labels)], [2, 8, 'a\\.b.\\196\\000']);
  assert.equal(nameBytes(labels), bytes);
  assert.is(textOf([]), '.');
});

test('names have the order of a signed zone', () => {
  // Source: RFC 4034 §6.1.
  const names = [
    'example',
    'a.example',
    'yljkjljk.a.example',
    'Z.a.example',
    'zABC.a.EXAMPLE',
    'z.example',
    '*.z.example',
  ];
  const sorted = names.map(labelsOf).toReversed().toSorted(compareLabels);
  assert.equal(
    sorted.map(textOf),
    names.map((name) => name.toLowerCase()),
  );
});

test('a name is within its own zone and those above', () => {
  assert.ok(isWithin(labelsOf('a.example'), labelsOf('a.example')));
  assert.ok(isWithin(labelsOf('a.example'), []));
  assert.not.ok(isWithin(labelsOf('ba.example'), labelsOf('a.example')));
});

test.run();
