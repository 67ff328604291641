import type { CaptureRule, WritePlan } from '../../model/experiment.ts';
import type { Observed } from '../subjects/observed.ts';
import { formPlace, setCookieLine } from '../subjects/readers.ts';
import { rowOf } from '../subjects.ts';
import type { Performed, SessionState } from '../trial.ts';
import { filterFor } from './extract.ts';
import { cookieFilter, formFieldFilter, hiddenFieldFilter, memberFilter } from './page-filters.ts';

/** Where the reader's shell gets a value from. */
export type ShellSource =
  /** An answer, its body or its head, through a filter. */
  | { from: 'body' | 'head'; filter: string }
  /** The cookies of the step's session: one, or all of them; the readable ones are those that script can read. */
  | { from: 'cookies'; name?: string; isReadable: boolean };

/** How a captured value is read from the step that captured it; undefined when only the reader can say. */
export function sourceOfCapture(
  { observed, session }: Performed,
  rule: CaptureRule,
  value: string,
  isClean: (text: string) => boolean,
): ShellSource | undefined {
  const cookie = session && sourceInCookies(session, value, rule.subject);
  if (cookie) return cookie;
  if (observed.kind !== 'http') return undefined;
  const { row, rest = '' } = rowOf(rule.subject) ?? {};
  const field = fieldOf(rule.subject);
  if (field !== undefined) return { from: 'body', filter: hiddenFieldFilter(field) };
  const clean = (filter: string | undefined) => (filter !== undefined && isClean(filter) ? filter : undefined);
  if (row?.source === 'set-cookie') {
    const [pair] = setCookieLine(observed.exchange, rest)?.split(';') ?? [];
    if (pair === `${rest}=${value}`) return { from: 'head', filter: cookieFilter(rest) };
  }
  if (row?.source === 'set-cookie' || row?.source === 'head') {
    const filter = clean(filterFor(headText(observed), value));
    return filter === undefined ? undefined : { from: 'head', filter };
  }
  const text = observed.exchange.text;
  const filter = clean(filterFor(text, value, row?.source === 'pattern-in-body' ? rule.pattern : undefined));
  return filter === undefined ? undefined : { from: 'body', filter };
}

/** What a request sent of its cookies, or what script read of them. */
function sourceInCookies({ cookies }: SessionState, value: string, subject: string): ShellSource | undefined {
  const { row, rest } = rowOf(subject) ?? {};
  const isReadable = row?.of === 'browser';
  if (row?.source !== 'session-cookies' || (!isReadable && rest !== 'cookie')) return undefined;
  const name = cookies.find((cookie) => cookie.value === value)?.name;
  if (name !== undefined) return { from: 'cookies', name, isReadable };
  const isAll = value.split('; ').every((pair) => cookies.some((cookie) => pair === `${cookie.name}=${cookie.value}`));
  return isAll ? { from: 'cookies', isReadable } : undefined;
}

/** How a value that a check knew beforehand is read from an answer of the trial in which it stands, too. */
export function sourceInAnswer(
  { observed }: Performed,
  value: string,
  isClean: (text: string) => boolean,
): ShellSource | undefined {
  if (observed.kind !== 'http' || observed.exchange.status >= 400) return undefined;
  const filter = filterFor(observed.exchange.text, value);
  return filter !== undefined && isClean(filter) ? { from: 'body', filter } : undefined;
}

/** Characters that every encoder of JSON writes as they are. */
const isPlain = (text: string): boolean => /^[ !#-.0-[\]-~]*$/.test(text);

/** How a value from before a write is read from the page that shows that the write is gone. */
export function sourceInVerify({ expect }: WritePlan['verify'], value: string): ShellSource | undefined {
  for (const { subject, expected } of expect) {
    const { row, rest = '' } = rowOf(subject) ?? {};
    const field = fieldOf(subject);
    if (field !== undefined && expected === value) return { from: 'body', filter: formFieldFilter(field) };
    const [, member] = row?.source === 'json-member' ? (/\/([^/]+)$/.exec(rest) ?? []) : [];
    if (member !== undefined && expected === `"${value}"` && isPlain(value))
      return { from: 'body', filter: memberFilter(member) };
  }
  return undefined;
}

/** The name of the field that a subject of forms names; undefined of other subjects. */
export function fieldOf(subject: string): string | undefined {
  const { row, rest = '' } = rowOf(subject) ?? {};
  return row?.source === 'form-field' ? formPlace.exec(rest)?.[2] : undefined;
}

/** As curl prints it. */
const headText = ({ exchange }: Observed & { kind: 'http' }): string =>
  exchange.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
