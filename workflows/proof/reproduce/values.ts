import { fill, fillCapture, type TrialValues } from '../template.ts';
import { capturedBy, type Performed, type SessionState, type Trial } from '../trial.ts';
import type { BookedSession } from './booked-session.ts';
import { captureBefore } from './plan.ts';
import type { Reads } from './reads.ts';
import { sourceInAnswer, sourceInVerify, sourceOfCapture } from './sources.ts';
import { type CommandText, isReference, type Reference, replaced } from './text.ts';

type ValueTools = {
  trial: Pick<Trial, 'steps' | 'values' | 'secretNames'>;
  /** Sessions whose cookies and headers may stand in a request by value. */
  sessions: readonly BookedSession[];
  reads: Reads;
  /** Whether a text holds nothing that has to be masked. */
  isClean(text: string): boolean;
};

type TextOptions = {
  /** Values that the step itself names as secrets. */
  secrets?: readonly string[];
  /** Values in it are percent-encoded. */
  isEncoded?: boolean;
  /** Made by lines of the script's own. */
  made?: { value: string; reference: Reference } | undefined;
};

/** Puts references to shell variables in the place of what must not be printed in a template of the step at `index`. */
export type WriteValues = (template: string, index: number, options?: TextOptions) => CommandText;

export function createValues(tools: ValueTools): WriteValues {
  const view = viewOf(tools.trial.values);
  return (template, index, { secrets = [], isEncoded = false, made } = {}) => {
    const filled = split(template, tools.trial.secretNames, view, (name) => captured(tools, view, name, index));
    const text = made ? replaced(filled, made.value, made.reference) : filled;
    const known = longestFirst([...secrets, ...tools.sessions.flatMap(({ session }) => secretsIn(session))]);
    return known.reduce<CommandText>(
      (rest, value) => withoutValue(rest, value, isEncoded, (hint) => literal(tools, value, index, hint)),
      text,
    );
  };
}

/** What a step before this one captured. */
function captured({ trial, reads, isClean }: ValueTools, view: TrialValues, name: string, before: number): Reference {
  const index = captureBefore(trial.steps, name, before);
  const performed = trial.steps[index];
  const rule = performed?.step.capture?.find((each) => each.name === name);
  const filled = rule && fillCapture(rule, view);
  // A later step may have captured another value under the same name.
  const source =
    performed && filled && sourceOfCapture(performed, filled, capturedBy(filled, performed.observed) ?? '', isClean);
  if (source) return reads.add('after', index, name, name, { source });
  const what = rule ? `what ${rule.subject} has in` : `what the proof took as ${name} from`;
  return reads.ask(`‹${name}›`, `${what} ${placeOf(performed)}`);
}

/** What the check knew when it made the step: out of a session, or seen on a page before. */
function literal(tools: ValueTools, value: string, index: number, hint: string): Reference {
  const { trial, reads, isClean } = tools;
  const ofSession = sentBySession(tools, value, index);
  if (ofSession) return ofSession;
  const name = hint || 'VALUE';
  for (let at = index - 1; at >= 0; at -= 1) {
    const performed = trial.steps[at];
    const source = performed && isPlainRead(performed) ? sourceInAnswer(performed, value, isClean) : undefined;
    if (source) return reads.add('after', at, value, name, { source });
  }
  const { action } = trial.steps[index] ?? {};
  const write = action && 'http' in action ? action.http.write : undefined;
  const source = write && sourceInVerify(write.verify, value);
  if (source) return reads.add('page before', index, value, name, { source });
  return reads.ask(value, `a value that the proof had${hint === '' ? '' : ` as ${hint}`} and that is not kept`);
}

function sentBySession({ sessions, reads }: ValueTools, value: string, index: number): Reference | undefined {
  for (const { session, inShell, key } of sessions) {
    const name = session.cookies.find((cookie) => cookie.value === value)?.name;
    if (name !== undefined)
      return reads.add('cookies before', index, `${key} ${name}`, `COOKIE ${name}`, {
        source: { from: 'cookies', name, isReadable: false },
        key,
      });
    const header = session.headers.findIndex(([, each]) => each === value || each.split(' ').at(-1) === value);
    const reference = header === -1 ? undefined : inShell().header(header);
    if (reference) return reference;
  }
  return undefined;
}

const isPlainRead = ({ action }: Performed): boolean => 'http' in action && (action.http.method ?? 'GET') === 'GET';

function placeOf(performed: Performed | undefined): string {
  const action = performed?.action;
  if (action && 'browser' in action) return `a browser at ${pathOf(action.browser.url)}`;
  return `the answer of ${action && 'http' in action ? pathOf(action.http.url) : 'the host'}`;
}

const pathOf = (url: string): string => url.replace(/[?#].*$/s, '');

/** What the trial had, and nothing new. */
const viewOf = (values: Readonly<Record<string, string>>): TrialValues => ({
  get: (name) => values[name],
  set: () => {},
  all: () => ({ ...values }),
});

/** References to secrets become those of the shell; everything else is filled in. */
function split(
  template: string,
  secretNames: readonly string[],
  view: TrialValues,
  refer: (name: string) => Reference,
): CommandText {
  const text: (string | Reference)[] = [];
  let at = 0;
  for (const match of template.matchAll(/‹(encode:)?([A-Za-z][\w-]*)›/g)) {
    const [whole, encode, name = ''] = match;
    if (!secretNames.includes(name)) continue;
    const as = encode === undefined ? undefined : 'encoded';
    text.push(fill(template.slice(at, match.index), view), { ...refer(name), as });
    at = match.index + whole.length;
  }
  return [...text, fill(template.slice(at), view)].filter((part) => part !== '');
}

/** A value shorter than this stands in any text by chance; a cookie of that length says what a visitor likes. */
const minLength = 4;
const minSessionLength = 8;

const secretsIn = ({ cookies, headers }: SessionState): string[] =>
  [
    ...cookies.map(({ value }) => value),
    ...headers.flatMap(([, value]) => [value, ...value.split(' ').slice(1)]),
  ].filter(({ length }) => length >= minSessionLength);

const longestFirst = (values: readonly string[]): string[] =>
  [...new Set(values)].filter(({ length }) => length >= minLength).sort((a, b) => b.length - a.length);

/** @param refer given the name that stands before the value, "" when none does */
function withoutValue(
  text: CommandText,
  value: string,
  isEncoded: boolean,
  refer: (hint: string) => Reference,
): CommandText {
  const encoded = { spelled: encodeURIComponent(value.toWellFormed()), as: 'encoded' } as const;
  const json = { spelled: JSON.stringify(value).slice(1, -1), as: 'json' } as const;
  const spellings = isEncoded ? [encoded] : [{ spelled: value, as: undefined }, encoded, json];
  for (const { spelled, as } of spellings) {
    const part = text.find((each) => !isReference(each) && each.includes(spelled));
    if (typeof part !== 'string') continue;
    const hint = /([A-Za-z][\w-]{0,63})(?:=|"\s*:\s*"?)$/.exec(part.slice(0, part.indexOf(spelled)))?.[1] ?? '';
    return replaced(text, spelled, { ...refer(hint), as });
  }
  return text;
}
