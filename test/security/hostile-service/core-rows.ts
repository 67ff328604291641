import { create, type DescMessage, type DescMethodUnary, type Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { createContextValues } from '@connectrpc/connect';
import { z } from 'zod';
import { type Caller, callerKey } from '../../../core/context.ts';
import { checkLogin } from '../../../core/domains/login-rules.ts';
import { parseDomain } from '../../../core/domains/name.ts';
import { canonicalHost, parseTarget } from '../../../core/domains/target.ts';
import { decisionsKey } from '../../../core/findings/decisions.ts';
import { sarifLog } from '../../../core/findings/sarif/sarif.ts';
import { artifactUri } from '../../../core/findings/sarif/text.ts';
import { checkLimits } from '../../../core/interceptors/field-limits.ts';
import { validate } from '../../../core/interceptors/validate.ts';
import { parseKey } from '../../../core/keys/format.ts';
import { callerBounds, excessOnWire } from '../../../core/messages/wire-bounds.ts';
import { cursorOf } from '../../../core/paging.ts';
import { renderReport } from '../../../core/report/report.ts';
import { readIdempotencyKey } from '../../../core/scans/idempotency.ts';
import { excessOf, requestBounds } from '../../../kit/json-bounds.ts';
import { LoginSchema, PutScopeRequestSchema } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { FindingState } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { RecordCoverageRequestSchema, RecordFactsRequestSchema } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { UpdateFindingRequestSchema } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { hostileInput } from '../../core/report/hostile-input.ts';
import type { Row } from './row.ts';

const mebibyte = 1024 * 1024;

/** Characters that have been hard on parsers of addresses and names. */
const pieces = [
  'a',
  'a.',
  '.',
  '-',
  '1',
  '1.',
  '%',
  '%41',
  '@',
  ':',
  '/',
  '[',
  '[::',
  'xn--',
  'ß',
  'İ',
  '\u0301',
  '\u200d',
  '。',
  '𝟙',
  '\ud800',
  ' ',
  '\\',
  '?',
  '#',
];

const addresses = ['', 'https://', 'https://a.example/'].flatMap((start) =>
  pieces.map(
    (piece): Row => ({
      name: `address: ${start}${JSON.stringify(piece)} again and again`,
      covers: [
        'core/domains/target.ts',
        'core/domains/name.ts',
        'core/domains/scope.ts',
        'core/domains/login-rules.ts',
      ],
      size: 2_048,
      make: (size) => start + piece.repeat((size - start.length) / piece.length),
      read: (text: string) => {
        canonicalHost(text);
        const login = create(LoginSchema, { kind: { case: 'form', value: { url: text } } });
        for (const read of [
          () => parseTarget(text),
          () => parseDomain('domain', text),
          () => checkLogin(login, 'a.example'),
        ])
          try {
            read();
          } catch {
            // A refusal is as good.
          }
      },
    }),
  ),
);

const place = cursorOf(z.tuple([z.string(), z.string()]));

/** What gRPC may carry in one field. */
const texts: Row[] = ['a', '\ud83d\ude00', ' ', '=', '-'].map((piece) => ({
  name: `texts of 4 MiB: ${JSON.stringify(piece)} again and again`,
  covers: [
    'core/interceptors/field-limits.ts',
    'core/interceptors/validate.ts',
    'core/paging.ts',
    'core/keys/format.ts',
    'core/keys/begin-call.ts',
    'core/scans/idempotency.ts',
  ],
  size: 4 * mebibyte,
  make: (size) => piece.repeat(size / piece.length),
  read: (text: string) => {
    const totp = create(LoginSchema, {
      kind: { case: 'form', value: { url: 'https://a.example/' } },
      totp: { secret: text },
    });
    const decision = create(UpdateFindingRequestSchema, { fingerprint: text, reason: text, host: text });
    for (const read of [
      () => place.read(text),
      () => parseKey(text),
      () => readIdempotencyKey(text),
      () => checkLogin(totp, 'a.example'),
      () => parseDomain('domain', text),
      () => canonicalHost(text),
      () => checkLimits(reflect(UpdateFindingRequestSchema, decision), ''),
    ])
      try {
        read();
      } catch {
        // A refusal is as good.
      }
  },
}));

const cursors: Row[] = ['[', '{"a":', '1,'].map((piece) => ({
  name: `cursor: ${piece} again and again`,
  covers: ['core/paging.ts'],
  size: 4 * mebibyte,
  make: (size) => Buffer.from(piece.repeat(size / piece.length)).toString('base64url'),
  read: (text: string) => place.read(text),
}));

const messages: Row[] = (
  [
    ['empty messages', '2a00'],
    ['unknown fields', 'a00600'],
    ['open groups', '0b'],
    ['one byte', 'ff'],
  ] as const
).map(([name, hex]) => ({
  name: `message of 32 MiB: ${name}`,
  covers: ['core/messages/wire-bounds.ts', 'core/messages/guard.ts'],
  size: 32 * mebibyte,
  make: (size) => Buffer.alloc(size, Buffer.from(hex, 'hex')),
  read: (bytes: Uint8Array) => excessOnWire(PutScopeRequestSchema, bytes, callerBounds),
}));

const json: Row[] = ['[', '"', '\\"', '{"a":'].map((piece) => ({
  name: `JSON of 32 MiB: ${piece} again and again`,
  covers: ['kit/json-bounds.ts', 'core/messages/guard.ts'],
  size: 32 * mebibyte,
  make: (size) => Buffer.alloc(size, piece),
  read: (bytes: Uint8Array) => excessOf(bytes, requestBounds),
}));

/** What a hostile host can bring into the results of a run, 16 KiB in every text. */
const renderers: Row[] = ['"', '\u202e', '<script>', '&amp;', 'https://a/'].map((piece) => ({
  name: `report and SARIF: texts of ${JSON.stringify(piece)} again and again`,
  covers: [
    'core/report/report.ts',
    'core/report/text.ts',
    'core/report/permissions.ts',
    'core/report/links.ts',
    'core/findings/sarif/sarif.ts',
    'core/findings/sarif/text.ts',
    'core/findings/sarif/rules.ts',
  ],
  size: 16 * 1024,
  make: (size) => hostileInput(piece.repeat(size / piece.length)),
  read: (input: ReturnType<typeof hostileInput>) => {
    renderReport(input);
    const log = sarifLog(input.scan);
    for (const finding of input.findings) log.add(finding);
    log.end();
  },
}));

/** What a site may be called in a finding: core bounds the evidence of a step, not its place. */
const places: Row[] = ['/', '%', 'a/', '?'].map((piece) => ({
  name: `SARIF: the address of a finding is ${piece} again and again`,
  covers: ['core/findings/sarif/text.ts'],
  size: 4 * mebibyte,
  make: (size) => `https://a.example/${piece.repeat(size / piece.length)}a`,
  read: artifactUri,
}));

/** Passes a message through the interceptor that looks at all of them. */
const validated = (schema: DescMessage, message: Message, kind: 'org' | 'worker') => {
  const method = { input: schema } as DescMethodUnary;
  const contextValues = createContextValues().set(callerKey, { kind } as Caller);
  return validate((request) => Promise.resolve(request as never))({
    ...{ stream: false, method, message, contextValues },
  } as never);
};

/** What a message may hold many of, within the 4 MiB of one. */
const validations: Row[] = (
  [
    ['paths', PutScopeRequestSchema, (size) => ({ scope: { excludedPaths: Array(size / 4).fill('/a') } })],
    [
      'headers',
      PutScopeRequestSchema,
      (size) => ({ scope: { headers: Array(size / 8).fill({ name: 'a', value: '' }) } }),
    ],
    [
      'omissions',
      RecordCoverageRequestSchema,
      (size) => ({ omissions: Array(size / 8).fill({ subject: 'a', count: 1 }) }),
    ],
    [
      'attributes',
      RecordFactsRequestSchema,
      (size) => ({
        facts: [{ attributes: Object.fromEntries(Array.from({ length: size / 12 }, (_, at) => [`a${at}`, ''])) }],
      }),
    ],
  ] satisfies [string, DescMessage, (size: number) => object][]
).flatMap(([what, schema, init]) =>
  (['org', 'worker'] as const).map(
    (kind): Row => ({
      name: `message of ${kind === 'org' ? 'an org' : 'a worker'}: ${what} without end`,
      covers: ['core/interceptors/validate.ts', 'core/interceptors/field-limits.ts'],
      size: 4 * mebibyte,
      make: (size) => create(schema as DescMessage, init(size) as never),
      read: (message: Message) => validated(schema, message, kind),
    }),
  ),
);

/** What an org has decided about one host, which every verdict reads. */
const decisions: Row = {
  name: 'decisions about a host, by the hundred thousand',
  covers: [],
  size: 100_000,
  make: (size) =>
    new Map(Array.from({ length: size }, (_, at) => [at.toString(16).padStart(32, '0'), FindingState.ACCEPTED_RISK])),
  read: decisionsKey,
};

export const rows: readonly Row[] = [
  ...addresses,
  ...texts,
  ...cursors,
  ...messages,
  ...json,
  ...renderers,
  ...places,
  ...validations,
  decisions,
];
