import { create } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { chooseMediaType } from '../../../gateway/accept.ts';
import { readBody } from '../../../gateway/body.ts';
import { endpointsOf } from '../../../gateway/endpoints.ts';
import { idempotencyHeader, requestIdOf } from '../../../gateway/headers.ts';
import { Issues } from '../../../gateway/issues.ts';
import { createBodyReader } from '../../../gateway/long-bodies/read-aside.ts';
import { readQuery } from '../../../gateway/query.ts';
import { ListScansRequestSchema } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { Row } from './row.ts';

const kibibyte = 1024;
const mebibyte = 1024 * 1024;

const putScope = endpointsOf().find(({ rpc }) => rpc.name === 'PutScope');
if (!putScope) throw new Error('there is no PutScope');
const endpoint = putScope;

const utf8 = (text: string) => new TextEncoder().encode(text);

const bodyFiles = [
  'gateway/body.ts',
  'gateway/json.ts',
  'gateway/json-text.ts',
  'gateway/repeated-name.ts',
  'gateway/nearest.ts',
  'gateway/values.ts',
  'kit/json-bounds.ts',
];

/** Bodies by their shape; each is about as long as it is asked to be. */
const bodies: [name: string, make: (size: number) => string][] = [
  ['numbers where objects belong', (size) => `{"documents":[${'1,'.repeat(size / 2)}1]}`],
  ['empty objects', (size) => `{"documents":[${'{},'.repeat(size / 3)}{}]}`],
  [
    '49,000 numbers, and a long string',
    (size) => `{"documents":[${'1,'.repeat(49_000)}"${'x'.repeat(size - 98_000)}"]}`,
  ],
  ['lists that are only opened', (size) => '['.repeat(size)],
  ['lists within each other', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
  ['objects within each other', (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`],
  ['one unknown name', (size) => `{"${'d'.repeat(size)}":1}`],
  ['one repeated name', (size) => `{"${'d'.repeat(size / 2)}":1,"${'d'.repeat(size / 2)}":1}`],
  ['many names', (size) => `{${Array.from({ length: Math.min(size / 12, 24_000) }, (_, i) => `"${i}":1`).join()}}`],
  ['one number', (size) => `{"requestsPerSecond":${'9'.repeat(size)}}`],
  ['a string of quotes', (size) => `{"documents":"${'\\"'.repeat(size / 2)}"}`],
  ['a string of backslashes without an end', (size) => `{"documents":"${'\\\\'.repeat(size / 2)}`],
  ['escaped surrogates', (size) => `{"startUrls":["${'\\ud800'.repeat(size / 6)}"]}`],
  ['spaces', (size) => `{${' '.repeat(size)}}`],
];

const usual: Row[] = bodies.map(([name, make]) => ({
  name: `body of 64 KiB: ${name}`,
  covers: bodyFiles,
  size: 64 * kibibyte,
  make: (size) => utf8(make(Math.max(size, 100_000))).subarray(0, size + 200),
  read: (body: Uint8Array) => {
    const message = reflect(endpoint.rpc.input, create(endpoint.rpc.input));
    readBody(message, endpoint, body, new Issues());
  },
}));

/** Lists in the right form, of as many values as a body may have: what is said of each of them is bounded. */
const lists: [name: string, make: (length: number) => object][] = [
  ['paths', (length) => ({ excludedPaths: Array(49_000).fill(`/${'a'.repeat(length / 50_000)}`) })],
  ['headers', (length) => ({ headers: Array(9_000).fill({ name: 'a', value: 'b'.repeat(length / 10_000) }) })],
  ['members with the wrong name', (length) => ({ headers: Array(12_000).fill({ ['n'.repeat(length / 13_000)]: 1 }) })],
];

/** Long bodies are read by the same code in another thread. */
const usualLongBodies = ['empty objects', 'objects within each other', 'one repeated name', 'escaped surrogates'];

const readLong = createBodyReader();
const whole: Row[] = lists.map(([name, make]) => ({
  name: `body of 12 MiB: as many ${name} as it may have`,
  covers: [...bodyFiles, 'gateway/long-bodies/read-aside.ts', 'kit/aside.ts'],
  size: 10 * mebibyte,
  make: (size) => utf8(JSON.stringify(make(size))),
  read: (body: Uint8Array) => readLong(create(endpoint.rpc.input), endpoint, body, AbortSignal.timeout(60_000)),
  isAside: true,
}));

const long: Row[] = bodies.map(([name, make]) => ({
  name: `body of 12 MiB: ${name}`,
  covers: [...bodyFiles, 'gateway/long-bodies/read-aside.ts', 'kit/aside.ts'],
  size: 12 * mebibyte - 200_000,
  make: (size) => utf8(make(Math.max(size, 200_000))),
  read: (body: Uint8Array) => readLong(create(endpoint.rpc.input), endpoint, body, AbortSignal.timeout(60_000)),
  isAside: true,
  isFurther: !usualLongBodies.includes(name),
}));

/** Node.js takes 16 KiB of request line and headers. */
const queries: [name: string, make: (size: number) => string][] = [
  ['parameters without a name', (size) => '&'.repeat(size)],
  ['unknown parameters', (size) => 'a&'.repeat(size / 2)],
  ['one parameter many times', (size) => 'status=done&'.repeat(size / 12)],
  ['percent-encoded text', (size) => `host=${'%C3%A9'.repeat(size / 6)}`],
  ['signs of equality', (size) => `host${'='.repeat(size)}`],
  ['plus signs', (size) => `host=${'+'.repeat(size)}`],
  ['digits', (size) => `limit=${'1'.repeat(size)}`],
  ['a time with a long fraction', (size) => `createdAfter=2026-01-01T00:00:00.${'1'.repeat(size)}Z`],
];

const inHeader: Row[] = [
  ...queries.map(
    ([name, make]): Row => ({
      name: `query: ${name}`,
      covers: ['gateway/query.ts', 'gateway/timestamp.ts', 'gateway/nearest.ts', 'gateway/values.ts'],
      size: 16 * kibibyte,
      make: (size) => `/api/v1/scans?${make(size)}`,
      read: (url: string) => {
        const message = reflect(ListScansRequestSchema, create(ListScansRequestSchema));
        readQuery(message, url, ListScansRequestSchema.fields, new Issues());
      },
    }),
  ),
  ...['*/*,', 'a/b;q=0.5,', ';q=', 'text/html;'.concat(' '), ','].map(
    (part): Row => ({
      name: `Accept: ${part} again and again`,
      covers: ['gateway/accept.ts'],
      size: 16 * kibibyte,
      make: (size) => part.repeat(size / part.length),
      read: (accept: string) => chooseMediaType(accept, ['application/json', 'application/sarif+json']),
    }),
  ),
  {
    name: 'an idempotency key and a request id of 16 KiB',
    covers: ['gateway/headers.ts'],
    size: 16 * kibibyte,
    make: (size) => 'a'.repeat(size),
    read: (text: string) => {
      requestIdOf({ 'x-request-id': text });
      idempotencyHeader([text]);
    },
  },
];

export const rows: readonly Row[] = [...usual, ...long, ...whole, ...inHeader];
