import type { Performed } from '../trial.ts';
import type { BookedSession } from './booked-session.ts';
import type { Names } from './names.ts';
import type { ShellRead } from './reads.ts';
import { requestCommand } from './request-words.ts';
import type { Writing } from './writing.ts';

/** Lines that set what is read from a step's session, and from its answer when `command` asks for it. */
export function readsAfter(
  index: number,
  booked: BookedSession | undefined,
  { reads, names }: Writing,
  command?: (output: 'body' | 'head' | 'show') => string,
): string[] {
  const all = reads.at('after', index);
  const lines = all.flatMap(({ variable, source }) =>
    source.from === 'cookies' && booked
      ? [`${variable}=$(${booked.inShell().printCookie(source.name, source.isReadable)})`]
      : [],
  );
  if (!command) return lines;
  const [inBody, inHead] = (['body', 'head'] as const).map((place) =>
    all.filter(({ source }) => source.from === place),
  );
  // A token belongs to the cookie of the same answer.
  if (inBody?.length && inHead?.length)
    return [...lines, ...answerLines([...inHead, ...inBody], command('show'), names)];
  return [
    ...lines,
    ...answerLines(inBody ?? [], command('body'), names),
    ...answerLines(inHead ?? [], command('head'), names),
  ];
}

/** Lines that set cookies which a step sends by value. */
export const cookiesBefore = (index: number, { reads, sessions }: Writing): string[] =>
  reads.at('cookies before', index).flatMap(({ key, variable, source }) => {
    const booked = sessions.all().find((each) => each.key === key);
    if (!booked || source.from !== 'cookies') return [];
    return [...sessions.open(booked), `${variable}=$(${booked.inShell().printCookie(source.name)})`];
  });

/** Lines that set what a write changes, as it is before: for putting it back, and for sending it along. */
export function pageBefore({ action, identity: own }: Performed, index: number, writing: Writing): string[] {
  const reads = writing.reads.at('page before', index);
  const write = 'http' in action ? action.http.write : undefined;
  if (!write || reads.length === 0) return [];
  const { verify, identity = own } = write;
  const booked = writing.sessions.ofIdentity(verify.identity ?? identity);
  const session = booked?.inShell().words ?? [];
  const options = { output: 'body', ...writing.reach(verify.url), session } as const;
  const command = requestCommand({ method: 'GET', url: [verify.url], headers: [] }, options);
  return [...(booked ? writing.sessions.open(booked) : []), ...answerLines(reads, command, writing.names)];
}

/** One request is enough for all that is read from its answer. */
function answerLines(reads: readonly ShellRead[], command: string, names: Names): string[] {
  const filters = reads.flatMap(({ variable, source }) => ('filter' in source ? [{ variable, ...source }] : []));
  const [only, ...others] = filters;
  if (only === undefined) return [];
  if (others.length === 0) return [`${only.variable}=$(${command} | ${only.filter})`];
  const answer = names('ANSWER');
  const stream = `printf '%s\\n' "\${${answer}}"`;
  return [`${answer}=$(${command})`, ...filters.map(({ variable, filter }) => `${variable}=$(${stream} | ${filter})`)];
}
