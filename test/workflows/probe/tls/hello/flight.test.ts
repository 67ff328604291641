import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProbeError } from '../../../../../workflows/model/probe-error.ts';
import type { HelloAnswer, HelloOffer } from '../../../../../workflows/model/tls-hello.ts';
import { uint16, vector } from '../../../../../workflows/probe/tls/hello/cursor.ts';
import { createFlightReader } from '../../../../../workflows/probe/tls/hello/flight.ts';
import {
  alertCodes,
  groupCodes,
  signatureCodes,
  versionCodes,
} from '../../../../../workflows/probe/tls/hello/registry.ts';
import { suiteCode } from '../../../../../workflows/probe/tls/hello/suites.ts';

const test = suite("a server's first flight");

const offer: HelloOffer = {
  versions: ['TLSv1.2'],
  suites: ['TLS_DHE_RSA_WITH_AES_128_CBC_SHA', 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'TLS_RSA_EXPORT_WITH_RC4_40_MD5'],
};

const bytes = (...list: number[]): Buffer => Buffer.from(list);
const record = (type: number, ...body: Uint8Array[]): Buffer => Buffer.concat([bytes(type, 3, 3), vector(2, ...body)]);
const message = (kind: number, ...body: Uint8Array[]): Buffer => Buffer.concat([bytes(kind), vector(3, ...body)]);
const hello = (suite: string, version = 0x0303, extensions = Buffer.alloc(0)): Buffer =>
  message(2, uint16(version), Buffer.alloc(32, 7), vector(1), uint16(suiteCode(suite)), bytes(0), extensions);
const done = message(14);

/** The answer to a flight that comes in these chunks. */
function read(chunks: readonly Uint8Array[], of: HelloOffer = offer) {
  const reader = createFlightReader(of);
  for (const chunk of chunks) {
    const answer = reader.push(chunk);
    if (answer) return answer;
  }
  return reader.ended();
}

const seen = ({ outcome, alert, version, suite }: Pick<HelloAnswer, 'outcome' | 'alert' | 'version' | 'suite'>) =>
  [outcome, alert, version, suite].filter((word) => word !== '').join(' ');

const [dhe = '', ecdhe = '', weak = ''] = offer.suites;

test('says which prime, curve or short key the key exchange has', () => {
  const prime = Buffer.concat([bytes(0, 0x7f), Buffer.alloc(127, 1)]);
  const signed = Buffer.concat([uint16(signatureCodes.code('rsa_pkcs1_sha1')), vector(2, bytes(1))]);
  const byField = message(12, vector(2, prime), vector(2, bytes(2)), vector(2, bytes(9)), signed);
  const byCurve = message(12, bytes(3), uint16(groupCodes.code('x25519')), vector(1, Buffer.alloc(32)), signed);
  const byShortKey = message(12, vector(2, Buffer.alloc(64, 255)), vector(2, bytes(3)), vector(2, bytes(1)));
  const dh = read([record(22, hello(dhe), byField, done)]);
  assert.equal([dh.outcome, dh.dhBits, dh.signature], ['accepted', 1_023, 'rsa_pkcs1_sha1']);
  assert.is(read([record(22, hello(ecdhe), byCurve, done)]).group, 'x25519');
  assert.is(read([record(22, hello(weak), byShortKey, done)]).exportBits, 512);
});

test('is put together out of records and chunks of any size', () => {
  const chain = message(11, vector(3, vector(3, Buffer.alloc(200, 5))));
  const whole = Buffer.concat([hello(dhe), chain, message(13), done]);
  const byByte = Buffer.concat(Array.from(whole, (byte) => record(22, bytes(byte))));
  const halves = Buffer.concat([record(22, whole.subarray(0, 40)), record(22, whole.subarray(40))]);
  for (const records of [record(22, whole), halves, byByte])
    for (const size of [1, 7, records.length]) {
      const count = Math.ceil(records.length / size);
      const answer = read(
        Array.from({ length: count }, (_, index) => records.subarray(index * size, (index + 1) * size)),
      );
      assert.is(seen(answer), `accepted TLSv1.2 ${dhe}`);
      assert.ok(answer.asksForCertificate);
      assert.equal(
        answer.certificates.map(({ length }) => length),
        [200],
      );
    }
});

test('knows a HelloRetryRequest and a ServerHello of TLS 1.3 by their extensions', () => {
  const retry = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');
  const suite = 'TLS_AES_128_GCM_SHA256';
  const extension = (type: number, body: Buffer) => Buffer.concat([uint16(type), vector(2, body)]);
  const with13 = (random: Buffer, share: Buffer) =>
    message(
      2,
      uint16(0x0303),
      random,
      vector(1),
      uint16(suiteCode(suite)),
      bytes(0),
      vector(2, extension(43, uint16(0x0304)), extension(51, share)),
    );
  const current: HelloOffer = { versions: ['TLSv1.3'], suites: [suite] };
  const group = uint16(groupCodes.code('X25519MLKEM768'));
  for (const flight of [
    with13(retry, group),
    with13(Buffer.alloc(32), Buffer.concat([group, vector(2, Buffer.alloc(40))])),
  ]) {
    const answer = read([record(22, flight)], current);
    assert.is(seen(answer), `accepted TLSv1.3 ${suite}`);
    assert.is(answer.group, 'X25519MLKEM768');
  }
});

for (const [what, chunks, expected] of [
  ['an alert', [record(21, bytes(2, alertCodes.code('protocol_version')))], 'refused protocol_version'],
  ['an alert half-way', [record(22, hello(dhe)), record(21, bytes(2, 80))], 'refused internal_error'],
  ['an alert that nobody knows', [record(21, bytes(2, 199))], 'refused 0x00c7'],
  ['a goodbye', [record(21, bytes(1, 0))], 'refused close_notify'],
  ['the end', [], 'refused closed'],
  ['the end half-way', [record(22, hello(dhe))], 'refused closed'],
  ['an end without a beginning', [record(22, done)], 'refused closed'],
  ['a warning before it', [record(21, bytes(1, 112)), record(22, hello(dhe), done)], `accepted TLSv1.2 ${dhe}`],
  [
    'a version that was not offered',
    [record(22, hello(dhe, versionCodes.code('TLSv1')), done)],
    `mismatched TLSv1 ${dhe}`,
  ],
  [
    'a suite that was not offered',
    [record(22, hello('TLS_RSA_WITH_NULL_SHA'), done)],
    'mismatched TLSv1.2 TLS_RSA_WITH_NULL_SHA',
  ],
] as [string, Buffer[], string][])
  test(`with ${what} is "${expected}"`, () => {
    assert.is(seen(read(chunks)), expected);
  });

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'no error';
  } catch (error) {
    if (error instanceof ProbeError) return error.code;
    throw error;
  }
};

for (const [what, chunks, code] of [
  ['a page in the clear', [Buffer.from('HTTP/1.1 400 Bad Request\r\n')], 'tls_failed'],
  ['the greeting of a mail server', [Buffer.from('220 mail ready\r\n')], 'tls_failed'],
  ['a record that is too long', [bytes(22, 3, 3, 255, 255)], 'protocol_error'],
  ['a message that is too long', [record(22, bytes(2, 255, 255, 255))], 'too_large'],
  ['records without an end', Array.from({ length: 600 }, () => record(23)), 'too_large'],
  [
    'bytes without an end',
    Array.from({ length: 40 }, () => record(22, bytes(11, 3, 0, 0), Buffer.alloc(12_000))),
    'too_large',
  ],
  ['a hello that is cut off', [record(22, message(2, bytes(3, 3, 1, 2)))], 'protocol_error'],
  ['an alert that is cut off', [record(21, bytes(2))], 'protocol_error'],
  ['a chain that is longer than its message', [record(22, message(11, bytes(0, 1, 0, 9)))], 'protocol_error'],
] as [string, Buffer[], string][])
  test(`${what} is reported as ${code}`, () => {
    assert.is(
      codeOf(() => read(chunks)),
      code,
    );
  });

/** The same numbers in each run (a linear congruential generator). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

test('of random, changed and cut-off bytes is an answer or a ProbeError', () => {
  const random = numbers(7);
  const below = (limit: number) => Math.floor(random.next().value * limit);
  const prime = message(
    12,
    vector(2, Buffer.alloc(128, 9)),
    vector(2, bytes(2)),
    vector(2, bytes(9)),
    uint16(0x0401),
    vector(2),
  );
  const whole = record(
    22,
    hello(dhe),
    message(11, vector(3, vector(3, Buffer.alloc(50, 5)))),
    prime,
    message(22, bytes(1)),
    done,
  );
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 4_000; round += 1) {
    const flight =
      round % 4 === 0 ? Buffer.from(Array.from({ length: below(200) }, () => below(256))) : Buffer.from(whole);
    if (round % 4 === 0 && flight.length > 5) flight.set([22, 3, below(4)]);
    for (let change = below(6); change > 0 && flight.length > 0; change -= 1) flight[below(flight.length)] = below(256);
    const cut = round % 3 === 0 ? flight.subarray(0, below(flight.length + 1)) : flight;
    const at = below(cut.length + 1);
    const outcome = codeOf(() => read([cut.subarray(0, at), cut.subarray(at)]));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  for (const code of ['no error', 'protocol_error', 'tls_failed']) assert.ok((outcomes.get(code) ?? 0) > 50, code);
});

test.run();
