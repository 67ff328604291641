import { createHash } from 'node:crypto';
import { jsonAt } from '../../model/json-pointer.ts';
import { valuesOf } from '../../probe/http/exchange.ts';
import { archiveEntries } from '../archive.ts';
import { dsStoreNames } from '../files/ds-store.ts';
import { logKind } from '../files/log-lines.ts';
import { logSecrets } from '../files/log-secrets.ts';
import { privateDataLines } from '../files/private-data.ts';
import { privateKeys, publicKeyDigests } from '../files/private-keys.ts';
import { secretSettingNames, settingNames } from '../files/settings.ts';
import { sqliteTables } from '../files/sqlite.ts';
import { fittedLine } from '../fitted-line.ts';
import { readPack } from '../git-pack.ts';
import { numberInCookie } from '../plain-number.ts';
import { sourcesIn } from '../source-map.ts';
import * as read from './readers.ts';
import { http, type SubjectRow } from './row.ts';
import * as views from './views.ts';

const { lines } = read;
/** Answers are excerpts; what is read of files are names and kinds, and no secret. */
const excerpt = { keeping: 'excerpt' } as const;
const header = { keeping: 'header', source: 'head' } as const;
const large = { keeping: 'excerpt', need: 'large-body' } as const;

/** What a claim or capture can read from an answer over HTTP. */
export const httpSubjects = {
  status: http('status of the answer', ({ status }) => String(status)),
  'header:<name>': http('a header', (exchange, name) => exchange.header(name), header),
  'headers:<name>': http('all values of a header', (exchange, name) => lines(exchange.headerValues(name)), header),
  'cookie:<name>': http('the Set-Cookie line of a cookie', read.setCookieLine, {
    keeping: 'cookie',
    source: 'set-cookie',
  }),
  'cookie-number:<name>': http(
    'the whole number that the value of a cookie is, ends with, encodes, or is a digest of',
    numberInCookie,
    { source: 'set-cookie' },
  ),
  'request:<name>': http('a header as it was sent', ({ request }, name) => lines(valuesOf(request.headers, name)), {
    keeping: 'header',
    source: 'session-cookies',
  }),
  'location:origin': http('where a browser is redirected to', read.redirectOrigin),
  body: http('the body', ({ text }) => text, { keeping: 'excerpt', source: 'pattern-in-body' }),
  'body:masked': http('the body, of which no more is kept than what the claims match', ({ text }) => text, {
    keeping: 'matched',
    source: 'pattern-in-body',
  }),
  'body:form:<target> <field>': http(
    'values of a field, as a browser would send them, in the forms that go to this path and query',
    read.formField,
    { ...excerpt, rest: read.formPlace, source: 'form-field' },
  ),
  'body:json:<pointer>': http(
    'JSON of the value at an RFC 6901 pointer, for instance `"user"`',
    ({ text }, at) => jsonAt(text, at),
    { ...excerpt, rest: /^/, source: 'json-member' },
  ),
  'body:inflate': http('what was compressed by zlib', read.inflate, { ...excerpt, view: () => views.inflated }),
  'body:gunzip': http('what was gzipped', read.gunzip, { keeping: 'matched', view: () => views.unzipped }),
  'body:pack:<id>': http(
    'an object of the Git pack that the body is',
    ({ body }, id) => readPack(body).get(id)?.content.toString('utf8'),
    { ...large, rest: /^[0-9a-f]{40}$/, view: (_body, id) => views.throughGit(id) },
  ),
  'body:archive': http(
    'names of the first entries of a ZIP or tar archive',
    ({ body }) => archiveEntries(body)?.join('\n'),
    {
      ...excerpt,
      view: views.listed,
    },
  ),
  'timing:elapsed': http(
    'milliseconds from the request to the end of the answer',
    ({ elapsedMs }) => String(Math.round(elapsedMs)),
    { need: 'quiet', view: () => views.timed },
  ),
  'timing:slope:<points>': http(
    'seconds by which answers become later for each second of delay, by regression over points as 0=12,2=2015',
    (_exchange, points) => fittedLine(points)?.slope.toFixed(3),
    { need: 'quiet', view: () => views.timed },
  ),
  'timing:noise:<points>': http(
    'milliseconds by which the farthest of these points misses that line',
    (_exchange, points) => fittedLine(points)?.noiseMs.toFixed(0),
    { need: 'quiet', view: () => views.timed },
  ),
  'timing:unanswered': http('milliseconds in which no answer came', () => undefined, { need: 'silence' }),
  'body:settings:<format>': http(
    'names of the settings of a file, for instance `database.host`; formats: env, ini, json, yaml, xml, and code that assigns literals',
    ({ text }, format) => settingNames(read.formatOf(format), text),
    excerpt,
  ),
  'body:secret-settings:<format>': http(
    'those that by their names and values are secrets',
    ({ text }, format) => secretSettingNames(read.formatOf(format), text),
    excerpt,
  ),
  'body:sqlite': http('tables of an SQLite database', ({ body }) => sqliteTables(body)?.join('\n'), {
    ...excerpt,
    view: () => views.tablesIn,
  }),
  'body:ds-store': http('names in a .DS_Store', ({ body }) => dsStoreNames(body)?.join('\n'), {
    ...excerpt,
    view: () => views.namesInUtf16,
  }),
  'body:private-keys': http('kinds of private keys', ({ body }) => privateKeys(body)?.join('\n'), excerpt),
  'body:public-key-digests': http(
    'SHA-256 of the public parts of private keys',
    ({ body }) => publicKeyDigests(body)?.join('\n'),
    excerpt,
  ),
  'body:log': http('what kind of log it is', ({ text }) => logKind(text), excerpt),
  'body:log-secrets': http('kinds of secrets in the lines of a log', ({ text }) => logSecrets(text), excerpt),
  'body:private-data': http(
    'kinds of private data of people, with their number',
    ({ text }) => privateDataLines(text),
    excerpt,
  ),
  'body:sha1': http('SHA-1 of the body', ({ body }) => createHash('sha1').update(body).digest('hex'), {
    ...excerpt,
    view: () => views.piped('sha1sum'),
  }),
  'body:hex': http('the first 32 bytes', ({ body }) => Buffer.from(body.subarray(0, 32)).toString('hex'), excerpt),
  'body:source-map': http(
    'names of the sources whose text a source map holds',
    ({ text }) => sourcesIn(text)?.join('\n'),
    large,
  ),
} as const satisfies Record<string, SubjectRow>;
