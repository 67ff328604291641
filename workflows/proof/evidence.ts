import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ObservationSchema } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Assertion } from '../model/experiment.ts';
import { decisivePart } from './assertions.ts';
import { helloSummary, helloText } from './hello-words.ts';
import { isMasked } from './mask.ts';
import { type Redactor, redactHeaders } from './redact.ts';
import type { Observed } from './subjects/observed.ts';
import { recordLine } from './subjects/readers.ts';
import { rowOf, subjectValue } from './subjects.ts';

type ObservationInit = MessageInitShape<typeof ObservationSchema>;
type EvidenceField = { name: string; value: string };

/** Sizes that keep a step below 16 KiB, together with at most 6 KiB of what was sent. */
const maxExcerptBytes = 4_096;
const maxHeaderBytes = 3_072;
const maxValueBytes = 1_536;
const maxFieldLength = 512;
const [maxMarks, maxMarkLength] = [4, 100];
/** What is kept of a page that only a session is shown: it may be about people. */
const maxPrivateBytes = 512;
/** Share of an excerpt before the first deciding part, so that a reader sees where it stands. */
const leadIn = 1 / 4;

/**
 * What is kept of an answer: what decides the claims and a little around it, redacted.
 * @param options.more further facts for the reader, for instance the trial's nonces
 * @param options.isPrivate the answer was given to a session: less of it is kept
 */
export function observationOf(
  observed: Observed,
  claims: readonly Assertion[],
  redactor: Redactor,
  { more = [], isPrivate = false }: { more?: readonly EvidenceField[]; isPrivate?: boolean } = {},
): ObservationInit {
  const clean = (text: string) => printable(redactor.text(text));
  const values = claims.map((claim) => ({ name: claim.subject, value: subjectValue(observed, claim.subject) }));
  const { text, subjects } = longText(observed, claims);
  const marks = marksIn(claims, values, subjects).map(clean);
  const whole = clean(text);
  const present = [...new Set(marks)].filter((mark) => mark !== '' && whole.includes(mark));
  const excerpt =
    subjects.some((subject) => rowOf(subject)?.row.keeping === 'matched') || isAboutSecret(claims, redactor)
      ? present.join('\n')
      : excerptAround(whole, present[0], isPrivate ? maxPrivateBytes : maxExcerptBytes);
  const shown = present.map((mark) => mark.slice(0, maxMarkLength)).filter((mark) => excerpt.includes(mark));
  return {
    summary: clean(summaryOf(observed)).slice(0, maxFieldLength),
    headers: fitFields(headersOf(observed, redactor), maxHeaderBytes),
    excerpt,
    marks: shown.slice(0, maxMarks),
    values: fitFields(uniqueFields([...shortFields(values, redactor), ...more]), maxValueBytes),
  };
}

/** A claim about a value that is secret: what stands around it in the answer is hardly less so. */
const isAboutSecret = (claims: readonly Assertion[], redactor: Redactor): boolean =>
  claims.some(({ expected }) => isMasked(redactor.text(expected)));

/** What stands in the excerpt is in no field, and what script keeps of somebody is never shown. */
const shortFields = (
  values: readonly { name: string; value: string | undefined }[],
  redactor: Redactor,
): EvidenceField[] =>
  values
    .filter(({ name }) => !/^(?:excerpt|matched|nowhere)$/.test(rowOf(name)?.row.keeping ?? 'value'))
    .map((field) => valueField(field, redactor));

function valueField({ name, value }: { name: string; value: string | undefined }, redactor: Redactor): EvidenceField {
  if (value === undefined) return { name, value: '(none)' };
  const { row, rest = '' } = rowOf(name) ?? {};
  if (row?.keeping === 'cookie') return { name, value: redactor.header('set-cookie', value) };
  return { name, value: row?.keeping === 'header' ? redactor.header(rest, value) : redactor.text(value) };
}

const uniqueFields = (fields: readonly EvidenceField[]) => [
  ...new Map(fields.map((field) => [field.name, field])).values(),
];

/** The text that the excerpt is cut from, and the subjects that it stands for. */
function longText(observed: Observed, claims: readonly Assertion[]): { text: string; subjects: string[] } {
  const named = claims.map((claim) => claim.subject);
  switch (observed.kind) {
    case 'http': {
      const first = named.find((subject) => /^(?:excerpt|matched)$/.test(rowOf(subject)?.row.keeping ?? ''));
      return { text: first ? (subjectValue(observed, first) ?? '') : '', subjects: first ? [first] : [] };
    }
    case 'tls':
      return { text: certificateText(observed), subjects: named };
    case 'no-tls':
    case 'no-http':
      return { text: observed.message, subjects: named };
    case 'hello':
      return { text: helloText(observed.answer), subjects: named };
    case 'smtp': {
      const { greeting, extensions, startTls, detail } = observed.look;
      const words = [greeting, ...extensions, `STARTTLS: ${[startTls, detail].filter(Boolean).join(', ')}`];
      return { text: words.join('\n'), subjects: named };
    }
    case 'dns': {
      const { answers, authority, dnssec } = observed.reply;
      const shown = named.includes('dns:authority') ? [...answers, ...authority] : answers;
      const validation = dnssec ? [`validation: ${[dnssec.status, dnssec.reason].filter(Boolean).join(', ')}`] : [];
      return { text: [...validation, ...shown.map(recordLine)].join('\n'), subjects: named };
    }
    case 'callback': {
      const calls = observed.callbacks.map(({ protocol, address, detail }) => `${protocol} from ${address}: ${detail}`);
      return { text: calls.join('\n'), subjects: named };
    }
    case 'browser': {
      const { dialogs, html } = observed.result;
      return named.includes('browser:html')
        ? { text: html, subjects: ['browser:html'] }
        : { text: dialogs.map((dialog) => `dialog: ${dialog}`).join('\n'), subjects: ['browser:dialogs'] };
    }
  }
}

function certificateText({ handshake }: Observed & { kind: 'tls' }): string {
  const certificates = handshake.chain.map(
    (c) =>
      `subject ${c.subject}\n  issuer ${c.issuer}\n  valid ${c.validFrom} to ${c.validTo}\n  key ${c.keyType} ${c.keyBits}`,
  );
  const path = handshake.path ? [`path: ${handshake.path.end}`] : [];
  return [`verification: ${handshake.authorizationError || 'trusted'}`, ...path, ...certificates].join('\n');
}

function marksIn(
  claims: readonly Assertion[],
  values: readonly { value: string | undefined }[],
  subjects: readonly string[],
): string[] {
  return claims.flatMap((claim, index) => {
    const value = values[index]?.value;
    if (value === undefined || !subjects.includes(claim.subject)) return [];
    return decisivePart(claim, value) ?? [];
  });
}

function summaryOf(observed: Observed): string {
  switch (observed.kind) {
    case 'http':
      return `HTTP/${observed.exchange.httpVersion} ${observed.exchange.status}`;
    case 'tls':
      return `${observed.handshake.protocol} ${observed.handshake.cipher}`;
    case 'no-tls':
    case 'no-http':
      return observed.kind === 'no-tls' ? 'no TLS handshake' : 'no answer';
    case 'hello':
      return helloSummary(observed.answer);
    case 'smtp':
      return observed.look.greeting;
    case 'dns':
      return `${observed.reply.rcode}, ${observed.reply.answers.length} answers`;
    case 'callback':
      return observed.callbacks.length > 0 ? 'the audited host called' : 'nobody called';
    case 'browser':
      return `${observed.result.status} ${observed.result.finalUrl}`;
  }
}

function headersOf(observed: Observed, redactor: Redactor): EvidenceField[] {
  const headers =
    'exchange' in observed ? observed.exchange.headers : 'result' in observed ? observed.result.headers : [];
  return redactHeaders(headers, redactor).map(([name, value]) => ({ name, value }));
}

/** Fields in order until the size limit is reached. */
function fitFields(fields: readonly EvidenceField[], maxBytes: number): EvidenceField[] {
  let left = maxBytes;
  const fitting: EvidenceField[] = [];
  for (const field of fields) {
    const name = printable(field.name).slice(0, maxFieldLength);
    const value = printable(field.value).slice(0, maxFieldLength);
    left -= Buffer.byteLength(name) + Buffer.byteLength(value);
    if (left < 0) break;
    fitting.push({ name, value });
  }
  return fitting;
}

/** At most so many bytes of UTF-8, with the mark in them. */
function excerptAround(text: string, mark: string | undefined, maxBytes: number): string {
  const bytes = Buffer.from(text);
  const at = mark === undefined ? 0 : Buffer.byteLength(text.slice(0, text.indexOf(mark)));
  const start = Math.max(0, Math.min(at - Math.floor(maxBytes * leadIn), bytes.length - maxBytes));
  const cut = bytes.subarray(start, start + maxBytes).toString('utf8');
  // Cutting may have split a character at either end.
  return cut.replace(/^\uFFFD{1,3}/, '').replace(/\uFFFD{1,3}$/, '');
}

/** Control characters as pictures (U+2400…): a store refuses some of them, a terminal obeys others. */
export const printable = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, picture);

function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\u2426';
}
