import { X509Certificate } from 'node:crypto';
import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { encode } from 'dns-packet';
import { readReferrerPolicy } from '../../../../workflows/checks/headers/referrer-policy.ts';
import { versionBanner } from '../../../../workflows/checks/headers/version-banner.check.ts';
import { spfTerms } from '../../../../workflows/checks/mail/spf.ts';
import { spfFault } from '../../../../workflows/checks/mail/spf-grammar.ts';
import { bypassesOf, restrictsScripts, separatePolicies } from '../../../../workflows/checks/pages/csp.ts';
import { readHsts } from '../../../../workflows/checks/pages/hsts.ts';
import { parseAnyJwt } from '../../../../workflows/checks/sessions/jwt.ts';
import { isDeletion, parseSetCookie } from '../../../../workflows/checks/sessions/set-cookie.ts';
import { findToken } from '../../../../workflows/login/json-path.ts';
import { parseJson } from '../../../../workflows/model/json.ts';
import { denyByNsec3 } from '../../../../workflows/probe/dns/dnssec/nsec3.ts';
import { rrsetsOf } from '../../../../workflows/probe/dns/dnssec/records.ts';
import { toReply, tryDecode } from '../../../../workflows/probe/dns/packet.ts';
import { readMessage } from '../../../../workflows/probe/dns/wire.ts';
import { createGate } from '../../../../workflows/probe/gate/gate.ts';
import { readBody } from '../../../../workflows/probe/http/body.ts';
import { createJar } from '../../../../workflows/probe/http/cookies.ts';
import { documentTypeOf } from '../../../../workflows/probe/http/document-type.ts';
import { scopeOf } from '../../../../workflows/probe/scope.ts';
import { createRecordReader } from '../../../../workflows/probe/tls/hello/records.ts';
import { readCertificates, readServerHello } from '../../../../workflows/probe/tls/hello/server-messages.ts';
import { revocationOf } from '../../../../workflows/probe/tls/revocation.ts';
import { readStaple } from '../../../../workflows/probe/tls/staple.ts';
import { dkimKeyBits } from '../../../../workflows/proof/dkim-key.ts';
import { createFrontier } from '../../../../workflows/survey/frontier.ts';
import { createTally } from '../../../../workflows/survey/left-out.ts';
import { createScribe } from '../../../../workflows/survey/scribe.ts';
import { answer, pageUrl } from '../answer.ts';
import { counted, filled, KiB, MiB, type Row, row } from '../row.ts';

/** As much as the instruments take of an answer's head. */
const head = 127 * KiB;
const quiet = new AbortController().signal;
const decode = (coding: string) => async (bytes: Buffer) => readBody(Readable.from([bytes]), coding, 2 * MiB, quiet);

const bodies: Row[] = [
  row(
    'a body that gzip blows up',
    ['workflows/probe/http/body.ts'],
    () => gzipSync(Buffer.alloc(256 * MiB)),
    decode('gzip'),
  ),
  row(
    'a body that brotli blows up',
    ['workflows/probe/http/body.ts'],
    () => brotliCompressSync(Buffer.alloc(64 * MiB)),
    decode('br'),
  ),
  row(
    'a body that zstd blows up',
    ['workflows/probe/http/body.ts'],
    () => zstdCompressSync(Buffer.alloc(256 * MiB)),
    decode('zstd'),
  ),
  row(
    'a body in codings over each other',
    ['workflows/probe/http/body.ts'],
    () => gzipSync(gzipSync(gzipSync(Buffer.alloc(256 * MiB)))),
    decode('gzip, gzip, gzip'),
  ),
];

const setCookies = (unit: (index: number) => string) => () => Array.from({ length: 1_000 }, (_, index) => unit(index));
function storeAll(lines: string[]) {
  const jar = createJar();
  for (let answers = 0; answers < 5; answers += 1)
    jar.store(
      pageUrl,
      lines.map((line) => `${answers}${line}`),
    );
  return [jar.all(), jar.header(pageUrl)];
}

const headers: Row[] = [
  row(
    'a flood of cookies',
    ['workflows/probe/http/cookies.ts'],
    setCookies((index) => `c${index}=${'x'.repeat(100)}; Path=/p${index}`),
    storeAll,
  ),
  row(
    'one cookie on many paths',
    ['workflows/probe/http/cookies.ts'],
    setCookies((index) => `c=${'x'.repeat(100)}; Path=/${'a/'.repeat(index)}`),
    storeAll,
  ),
  row(
    'cookies with long attributes',
    ['workflows/probe/http/cookies.ts'],
    () => [
      `a=b; ${filled('expires=; x ', head)}`,
      `a=b; expires=${filled('1 ', head)}`,
      `a=b; domain=${filled('a.', head)}`,
    ],
    storeAll,
  ),
  row(
    'a line of a cookie',
    ['workflows/checks/sessions/set-cookie.ts'],
    () => [
      `a=b; ${filled('; expires=Thu, 01 ', head)}`,
      `a=${filled(' \t', head)}`,
      `a=b; expires=${filled('Thu 1:2:', head)}`,
    ],
    (lines) =>
      lines.map((line) => {
        const cookie = parseSetCookie(line);
        return cookie && isDeletion(cookie, new Date());
      }),
  ),
  row(
    'a policy of very many sources',
    [],
    () => `script-src ${counted((index) => `https://h${index}.example *.googleapis.com `, head)}`,
    (policy) => bypassesOf(separatePolicies(policy)),
  ),
  row(
    'very many policies',
    ['workflows/checks/pages/csp.ts'],
    () => filled("script-src 'unsafe-inline';,", head),
    (policy) => bypassesOf(separatePolicies(policy)),
  ),
  row(
    'a policy of white space',
    [],
    () => filled(' ;', head),
    (policy) => [bypassesOf([policy]), restrictsScripts(policy), restrictsScripts(filled(' ', head))],
  ),
  row(
    'a policy of one long source',
    [],
    () => `script-src ${filled('a.', head)} ${filled('*', KiB)}`,
    (policy) => bypassesOf([policy]),
  ),
  row(
    'directives of HSTS',
    [],
    () => filled('max-age = "1";', head),
    (value) => [readHsts([value]), readHsts([filled(' ', head)])],
  ),
  row(
    'words of a referrer policy',
    [],
    () => filled('no-referrer,x ', head),
    (value) => readReferrerPolicy(answer('', { headers: [['referrer-policy', value]] })),
  ),
  row(
    'types of a document',
    [],
    () => filled('text/html;a="b\\",', head),
    (value) => documentTypeOf(answer(filled(' \n', MiB), { type: value })),
  ),
  row(
    'names of software',
    [],
    () => ['a ', 'a/1.', 'Apache-Coyote', 'a.', '1.'].map((unit) => filled(unit, head)),
    (values) =>
      versionBanner.detect({
        surface: {
          origins: [{ origin: 'http://shop.example', headers: values.map((value) => ['Server', value]) }],
          pages: [],
        },
      } as never),
  ),
  row(
    'a token of JSON',
    ['workflows/checks/sessions/jwt.ts', 'workflows/model/json.ts'],
    () => `${Buffer.from(`{"alg":"HS256","a":[${filled('{},', 90 * KiB)}{}]}`).toString('base64url')}.e30.x`,
    parseAnyJwt,
  ),
  row(
    'the answer to a login',
    ['workflows/login/json-path.ts'],
    () => `${'{"data":'.repeat(400)}{${counted((index) => `"m${index}":${index},`, MiB)}"z":1}${'}'.repeat(400)}`,
    (text) => findToken(parseJson(text)),
  ),
];

/** A DNS message of so many records, whose names are one label each before the name of the record before. */
function chained(count: number, type: number, data: Buffer): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.from([0, 1, 0x84, 0, 0, 0, count >> 8, count & 0xff, 0, 0, 0, 0])];
  let at = 12;
  let before: number | undefined;
  for (let index = 0; index < count; index += 1) {
    const name =
      before === undefined || before >= 0x4000
        ? Buffer.from([1, 97, 0])
        : Buffer.from([1, 97, 0xc0 | (before >> 8), before & 0xff]);
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(type, 0);
    fixed.writeUInt16BE(1, 2);
    fixed.writeUInt16BE(data.length, 8);
    before = at;
    parts.push(name, fixed, data);
    at += name.length + fixed.length + data.length;
  }
  return Buffer.concat(parts);
}

/** Records of one type, which share the longest name that there can be. */
function alike(count: number, type: number, dataOf: (index: number) => Buffer): Buffer {
  const name = Buffer.concat([...Array.from({ length: 127 }, () => Buffer.from([1, 97])), Buffer.alloc(1)]);
  const parts: Buffer[] = [Buffer.from([0, 1, 0x84, 0, 0, 0, count >> 8, count & 0xff, 0, 0, 0, 0])];
  for (let index = 0; index < count; index += 1) {
    const data = dataOf(index);
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(type, 0);
    fixed.writeUInt16BE(data.length, 8);
    parts.push(index === 0 ? name : Buffer.from([0xc0, 12]), fixed, data);
  }
  return Buffer.concat(parts).subarray(0, 65_535);
}

const numbered = (index: number) => Buffer.from([index >> 8, index & 0xff, 1, 2]);
const wire = 'workflows/probe/dns/wire.ts';
const packet = 'workflows/probe/dns/packet.ts';
const read = (message: Buffer) => {
  const { answers } = readMessage(message);
  return rrsetsOf(answers);
};
const decoded = (message: Buffer) => {
  const found = tryDecode(message);
  return found && toReply(found, '192.0.2.1:53');
};
const types = (index: number) => numbered(index);

const dns: Row[] = [
  row(
    'names that are made of each other',
    [wire, packet],
    () => chained(1_100, 2, Buffer.from([0xc0, 12])),
    (message) => {
      try {
        return read(message);
      } catch {
        return decoded(message);
      }
    },
  ),
  row(
    'names that are made of each other, for the other reader',
    [packet],
    () => chained(1_100, 2, Buffer.from([0xc0, 12])),
    decoded,
  ),
  row('a set of very many records', [wire], () => alike(1_990, 1, numbered), read),
  row(
    'a set of very many signatures',
    [wire],
    () => alike(1_990, 46, (index) => Buffer.concat([Buffer.alloc(16), types(index), Buffer.from([0])])),
    read,
  ),
  row(
    'records that need not be',
    [packet, 'workflows/probe/dns/data.ts'],
    () => alike(1_990, 16, () => Buffer.from([3, 97, 98, 99])),
    decoded,
  ),
  row(
    'very many texts',
    [packet],
    () =>
      encode({
        type: 'response',
        id: 1,
        answers: [{ type: 'TXT', name: 'a', data: Array.from({ length: 30_000 }, () => 'a') }],
      }),
    decoded,
  ),
  row(
    'hashes of names without end',
    [],
    () =>
      Array.from({ length: 1_990 }, (_, index) => ({
        hash: Buffer.alloc(20, index),
        algorithm: 1,
        isOptOut: false,
        iterations: 50,
        salt: Buffer.alloc(255, index),
        next: Buffer.alloc(20),
        types: new Set<number>(),
      })),
    (records) => denyByNsec3({ name: Array.from({ length: 127 }, () => 'a'), type: 1 }, [], records),
  ),
  row(
    'a key for mail',
    ['workflows/proof/tag-list.ts'],
    () => `v=DKIM1; ${filled('a=b;', 30 * KiB)} p=${filled('MIIB', 30 * KiB)}`,
    (data) => dkimKeyBits({ answers: [{ type: 'TXT', name: 'a', data, ttlSeconds: 0 }] } as never),
  ),
  row(
    'terms of SPF',
    [],
    () =>
      ['a:', '-', 'a', 'a-', '%{', 'include:a ', 'ip4:1.', '0', 'a/1', '.a'].map(
        (unit) => `v=spf1 ${filled(unit, 60 * KiB)} include:x.${filled(unit, 60 * KiB)}`,
      ),
    (records) => records.map((record) => [spfTerms(record), spfFault(record)]),
  ),
];

/** DER that nests: each level is a sequence. */
function nested(bytes: number): Buffer<ArrayBuffer> {
  const parts: number[] = [];
  let length = 0;
  while (length < bytes) {
    const size =
      length < 128
        ? [length]
        : length < 65_536
          ? [0x82, length >> 8, length & 0xff]
          : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff];
    parts.unshift(0x30, ...size);
    length += 1 + size.length;
  }
  return Buffer.from(parts);
}
const flat = (bytes: number) =>
  Buffer.concat([
    Buffer.from([0x30, 0x83, bytes >> 16, (bytes >> 8) & 0xff, bytes & 0xff]),
    Buffer.alloc(bytes, Buffer.from([5, 0])),
  ]);
const indefinite = () => Buffer.from(filled('\x30\x80', 100 * KiB), 'latin1');

const tls: Row[] = [
  ...Object.entries({
    'that nests': () => nested(16 * KiB),
    'of very many parts': () => flat(200 * KiB),
    'without lengths': indefinite,
  }).flatMap(([what, make]) => [
    row(`a certificate ${what}`, ['workflows/probe/tls/revocation.ts'], make, (der) => [
      revocationOf(der),
      (() => {
        try {
          return new X509Certificate(der);
        } catch {
          return undefined;
        }
      })(),
    ]),
    row(`a stapled answer ${what}`, ['workflows/probe/tls/staple.ts'], make, (der) => readStaple(der, '01')),
  ]),
  row(
    'a flight of empty messages',
    [],
    () => {
      const records = Array.from({ length: 15 }, () =>
        Buffer.concat([Buffer.from([22, 3, 3, 0x40, 0]), Buffer.alloc(16_384)]),
      );
      return Buffer.concat(records);
    },
    (bytes) => createRecordReader().push(bytes),
  ),
  row(
    'extensions of a hello',
    [],
    () =>
      Buffer.concat([
        Buffer.from([3, 3]),
        Buffer.alloc(32),
        Buffer.from([0, 0x13, 1, 0, 0xff, 0xfc]),
        Buffer.alloc(65_532),
      ]),
    readServerHello,
  ),
  row(
    'certificates without content',
    [],
    () => Buffer.concat([Buffer.from([3, 0, 0]), Buffer.alloc(0x30000)]),
    readCertificates,
  ),
];

const refusesNothing = () => undefined;

const site: Row[] = [
  row(
    'links of a whole site',
    [],
    () => null,
    () => {
      const frontier = createFrontier(scopeOf(pageUrl), [], createTally(), refusesNothing);
      for (let index = 0; index < 30_000; index += 1)
        frontier.add({ url: `http://h${index}.example/${'a'.repeat(200)}`, source: 'x' });
      return frontier.left('budget');
    },
  ),
  row(
    'heads and scripts of a whole site',
    [],
    () =>
      Array.from({ length: 12 }, (_, index) => ({
        body: `${index}${counted((at) => `<script src=/${index}/${at}></script>`, 64 * KiB)}`,
        value: filled(`${index}`, 100 * KiB),
      })),
    (answers) => {
      const scribe = createScribe({
        scope: scopeOf(pageUrl),
        frontier: createFrontier(scopeOf(pageUrl), [], createTally(), refusesNothing),
        gate: createGate({ depth: 'standard', writes: 'reversible' }),
        refusalOf: refusesNothing,
        explorer: { add: () => {} },
        documents: { add: () => {} },
      });
      return answers.map(({ body, value }, index) => {
        const url = `http://shop.example/${index}`;
        scribe.read({ url, source: 'x' }, answer(body, { url, headers: [['x-long', value]] }));
        return scribe;
      });
    },
  ),
];

export const networkRows: Row[] = [...bodies, ...headers, ...dns, ...tls, ...site];
