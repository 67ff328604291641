import type { Subject } from '../model/experiment.ts';
import { type Observed, UnknownSubject } from './subjects/observed.ts';
import { maxPackBytes } from './subjects/readers.ts';
import type { Need, SubjectRow } from './subjects/row.ts';
import { subjects } from './subjects/table.ts';

const exact = new Map<string, SubjectRow>();
/** Rows with a part that the claim names, by what stands before it; the longest first. */
const open: [fixed: string, row: SubjectRow][] = [];
for (const [pattern, row] of Object.entries<SubjectRow>(subjects)) {
  const [fixed = '', ...named] = pattern.split('<');
  if (named.length === 0) exact.set(pattern, row);
  else open.push([fixed, row]);
}
open.sort(([a], [b]) => b.length - a.length);

/** The row of a subject, and what the claim names in it; undefined when there is none. */
export function rowOf(subject: string): { row: SubjectRow; rest: string } | undefined {
  const row = exact.get(subject);
  if (row) return { row, rest: '' };
  const [fixed, found] = open.find(([start]) => subject.startsWith(start)) ?? [];
  if (fixed === undefined || !found) return undefined;
  const rest = subject.slice(fixed.length);
  return (found.rest ?? /./s).test(rest) ? { row: found, rest } : undefined;
}

const sources: Record<Observed['kind'], string> = {
  http: 'An HTTP answer',
  'no-http': 'An HTTP answer',
  tls: 'A TLS handshake',
  'no-tls': 'A TLS handshake',
  hello: 'The answer to a ClientHello',
  dns: 'A DNS reply',
  smtp: 'A mail server',
  browser: "A browser's visit",
  callback: 'A callback',
};

/**
 * The value that a claim is about; undefined when the observation has no such thing. The subjects are those of `subjects/table.ts`.
 * @throws UnknownSubject
 */
export function subjectValue(observed: Observed, subject: string): string | undefined {
  if (observed.kind === 'no-tls') return subject === 'tls:failure' ? observed.code : undefined;
  if (observed.kind === 'no-http') return subject === 'timing:unanswered' ? String(observed.waitedMs) : undefined;
  const { row, rest } = rowOf(subject) ?? {};
  if (row?.of === 'http' && observed.kind === 'http') return row.read(observed.exchange, rest ?? '');
  if (row?.of === 'tls' && observed.kind === 'tls') return row.read(observed.handshake, rest ?? '');
  if (row?.of === 'hello' && observed.kind === 'hello') return row.read(observed.answer, rest ?? '');
  if (row?.of === 'dns' && observed.kind === 'dns') return row.read(observed.reply, rest ?? '');
  if (row?.of === 'smtp' && observed.kind === 'smtp') return row.read(observed.look, rest ?? '');
  if (row?.of === 'browser' && observed.kind === 'browser') return row.read(observed.result, rest ?? '');
  if (row?.of === 'callback' && observed.kind === 'callback') return row.read(observed.callbacks, rest ?? '');
  throw new UnknownSubject(`${sources[observed.kind]} has no "${subject}".`);
}

/** A subject that was stored, or filled in, as text. @throws UnknownSubject */
export function asSubject(text: string): Subject {
  if (!isSubject(text)) throw new UnknownSubject(`There is no subject "${text}".`);
  return text;
}

const isSubject = (text: string): text is Subject => rowOf(text) !== undefined;

/** Whether one of the subjects is only there when it was requested of the instrument beforehand. */
export const isNeeded = (named: readonly string[], need: Need): boolean =>
  named.some((subject) => rowOf(subject)?.row.need === need);

/** Packs and source maps are larger than pages: bytes of body that these subjects need, undefined when the instrument's default will do. */
export const bodyBytesFor = (named: readonly string[]): number | undefined =>
  isNeeded(named, 'large-body') ? maxPackBytes : undefined;
