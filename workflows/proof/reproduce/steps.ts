import type { BrowserAction, HttpAction } from '../../model/experiment.ts';
import { digCommand } from '../dig.ts';
import { shellWord } from '../shell.ts';
import type { Observed } from '../subjects/observed.ts';
import type { Performed, Trial } from '../trial.ts';
import type { BookedSession } from './booked-session.ts';
import { certificatesCommand, helloCommand } from './hello-command.ts';
import type { Role } from './plan.ts';
import { cookiesBefore, pageBefore, readsAfter } from './read-lines.ts';
import { requestText } from './request-text.ts';
import { type RequestText, requestCommand, type ShownOutput } from './request-words.ts';
import type { Planted } from './shell-sessions.ts';
import { smtpCommand } from './smtp-command.ts';
import { type CommandText, comment } from './text.ts';
import { tlsCommand } from './tls-command.ts';
import { tokenLines } from './token-lines.ts';
import { prepareUndo } from './undo-lines.ts';
import { viewOf } from './views.ts';
import type { Writing } from './writing.ts';

/** What a step sends, in the reader's words, and the lines that have to come before it, in whose session. */
type SentRequest = {
  before: string[];
  source: BookedSession | undefined;
  request: RequestText;
  planted?: Planted | undefined;
};

/** The lines of a step: what it takes, and the command itself, of which a note says what it shows. */
type ScriptBlock = { before: readonly string[]; note: string; main: readonly string[] };

/** The lines of the steps, in order, and of what puts back their changes. */
export function writeSteps(
  { steps }: Pick<Trial, 'steps'>,
  roles: ReadonlyMap<number, Role>,
  writing: Writing,
): string[] {
  const writeUndo = prepareUndo({ steps }, roles, writing);
  // From the last step to the first: what a step sends says which answers before it have to be read.
  const sent = new Map<number, SentRequest | undefined>();
  const roleOf = (index: number) =>
    roles.get(index) ?? (writing.reads.at('after', index).length > 0 ? 'read' : undefined);
  for (const [index, performed] of [...steps.entries()].toReversed())
    if (roleOf(index)) sent.set(index, sentOf(performed, index, writing));
  const blocks = steps.flatMap((performed, index): ScriptBlock[] => {
    const role = roleOf(index);
    return role === undefined ? [] : [blockOf(performed, index, role, sent.get(index), writing)];
  });
  const undo = writeUndo();
  const different = blocks.filter(
    ({ main }, index) => main.length === 0 || main.join() !== blocks[index - 1]?.main.join(),
  );
  const isOneLine = different.length === 1 && undo.length === 0 && different[0]?.before.length === 0;
  return [...different.flatMap((block) => linesOf(block, isOneLine)), ...undo];
}

const linesOf = ({ before, note, main }: ScriptBlock, isOneLine: boolean): string[] =>
  isOneLine || main.length === 0 || main[0]?.startsWith('#')
    ? [...before, ...main]
    : [...before, comment(note), ...main];

function sentOf({ step, action }: Performed, index: number, writing: Writing): SentRequest | undefined {
  if (!('http' in step)) return undefined;
  const { http } = step;
  const made = forge(http, writing);
  const secrets = ('http' in action ? action.http.secrets : undefined) ?? [];
  const put = (template: string, isEncoded = false) =>
    writing.values(template, index, { secrets, isEncoded, made: made?.value });
  const planted = http.logIn === undefined ? undefined : plantedBy(http, put);
  return { before: made?.lines ?? [], source: made?.booked, request: requestText(http, put), planted };
}

function forge({ forged }: HttpAction, { sessions, names }: Writing) {
  const booked = forged && sessions.ofIdentity(forged.identity);
  if (!forged || !booked) return undefined;
  const header = booked.session.headers.findIndex(([name]) => name === forged.carrier.name);
  const { lines, reference } = tokenLines(forged, booked.inShell(), header, names);
  return { booked, lines, value: { value: forged.token, reference } };
}

function blockOf(
  performed: Performed,
  index: number,
  role: Role,
  sent: SentRequest | undefined,
  writing: Writing,
): ScriptBlock {
  const { step, action, observed } = performed;
  const { sessions } = writing;
  const block = (before: readonly string[], main: readonly string[]): ScriptBlock => ({
    before,
    note: step.note,
    main,
  });
  if ('tls' in action) return block([], [handshakeCommand(action.tls, observed)]);
  if ('hello' in action)
    return block([], observed.kind === 'hello' ? [helloCommand(action.hello, observed.answer, step.expect)] : []);
  if ('smtp' in action)
    return block([], observed.kind === 'smtp' ? [smtpCommand(action.smtp.host, observed.look.port)] : []);
  if ('dns' in action) return block([], [digCommand(action.dns, observed.kind === 'dns' ? observed.reply : undefined)]);
  if ('callback' in action)
    return block(
      [],
      [
        comment(
          `${step.note} A listener of yours shows it: put its address in the place of the one with the word ${action.callback.token}.`,
        ),
      ],
    );
  const booked = sessions.of(performed);
  if (role === 'described') return block(readsAfter(index, booked, writing), [comment(`In a browser: ${step.note}`)]);
  if ('browser' in action) return block(...browserLines(action.browser, booked, role, index, writing));
  if (action.http.logIn !== undefined && booked) {
    const login = sessions.open(booked, sent?.planted, role === 'shown');
    return block([...login, ...readsAfter(index, booked, writing)], []);
  }
  if (!sent) return block([], []);
  const opening = [booked, sent.source].flatMap((each) => (each ? sessions.open(each) : []));
  const options = {
    ...writing.reach(action.http.url),
    session: sessionWords(booked, step.session, role),
    httpVersion: versionOf(action.http, observed),
  };
  const command = (output: ShownOutput) => requestCommand(sent.request, { ...options, output });
  const before = [
    ...opening,
    ...sent.before,
    ...pageBefore(performed, index, writing),
    ...cookiesBefore(index, writing),
  ];
  const reads = readsAfter(index, booked, writing, command);
  if (role === 'read') return block([...before, ...reads], []);
  const { copies = 1 } = action.http;
  if (copies > 1) return block(before, [`for i in $(seq ${copies}); do ${command('drop')} & done; wait`]);
  if (role === 'done') return block(before, reads.length > 0 ? reads : [command('drop')]);
  const view = viewOf(performed);
  return block([...before, ...reads], view.lines(command(view.output)));
}

/** What was seen in the clear alone can be shown by no program that would finish the handshake. */
function handshakeCommand(action: Parameters<typeof tlsCommand>[0], observed: Observed): string {
  if (observed.kind !== 'tls') return tlsCommand(action);
  const { hello, protocol, isStapled } = observed.handshake;
  return hello
    ? certificatesCommand(action, hello)
    : tlsCommand({ ...action, asksForStaple: isStapled !== undefined }, protocol);
}

/** Names of fields differ in their case between the versions, and some requests are possible in one only. */
function versionOf({ httpVersion }: HttpAction, observed: Observed): '1.1' | '2' | undefined {
  return observed.kind === 'http' && observed.exchange.httpVersion === '2' ? '2' : httpVersion;
}

/** A session of the trial's own keeps what answers set, as a browser does. */
function sessionWords(booked: BookedSession | undefined, own: string | undefined, role: Role): readonly string[] {
  if (!booked) return [];
  const { words, keeping } = booked.inShell();
  return own !== undefined && role !== 'shown' ? keeping : words;
}

/** The cookies that a browser has before the login. */
function plantedBy({ url, headers = [] }: HttpAction, put: (template: string) => CommandText): Planted | undefined {
  const lines = headers.filter(([name]) => name.toLowerCase() === 'cookie').map(([, value]) => value);
  const cookies = lines.flatMap((line) =>
    line.split(';').flatMap((pair): [string, CommandText][] => {
      const at = pair.indexOf('=');
      return at > 0 ? [[pair.slice(0, at).trim(), put(pair.slice(at + 1).trim())]] : [];
    }),
  );
  return cookies.length > 0 ? { url, cookies } : undefined;
}

/** What a browser shows is for the reader's own; where the server has a part in it, its answer is shown as well. */
function browserLines(
  { url, clicks = [] }: BrowserAction,
  booked: BookedSession | undefined,
  role: Role,
  index: number,
  writing: Writing,
): [before: string[], main: string[]] {
  const before = booked ? writing.sessions.open(booked) : [];
  const who = booked ? ` that is logged in as ${booked.identity}` : '';
  const session = sessionWords(booked, undefined, role);
  const request: RequestText = { method: 'GET', url: [url], headers: [] };
  const isAnswered = role === 'shown' && new URL(url).hash === '' && clicks.length === 0;
  return [
    before,
    [
      `${comment(`Open in a browser${who}:`)} ${shellWord(url)}`,
      ...clicks.map((click) => `${comment('Click there:')} ${shellWord(click)}`),
      ...readsAfter(index, booked, writing),
      ...(isAnswered ? [requestCommand(request, { output: 'show', ...writing.reach(url), session })] : []),
    ],
  ];
}
