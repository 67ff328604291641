import { type CutLimits, cut } from './cut.ts';

/** Answers to these may be as long as the longest text that a visit keeps, escaped as JSON; others are short. */
const longAnswers = new Set(['Runtime.evaluate', 'Network.getResponseBody', 'Page.getFrameTree']);
export const maxMessageBytes = 8 * 1024 * 1024;
const maxAnswerBytes = 1024 * 1024;

/** Events by which a page says something, as often and as much as it likes. */
const talk = new Set([
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Runtime.bindingCalled',
  'Log.entryAdded',
  'Audits.issueAdded',
]);
/** Of one kind: what a page logs must not keep from being heard what its sinks were given. */
const maxTalkEvents = 500;
const maxTalkBytes = 2 * 1024 * 1024;
/** Longer ones are not even read. */
const maxTalkEventBytes = 256 * 1024;
const talkLimits: CutLimits = { maxText: 4_096, maxItems: 30 };

/** Of one page with its frames and workers; heavy pages of the web stay below a third of it. */
const maxEvents = 10_000;
const maxEventBytes = 32 * 1024 * 1024;
/** Shorter events pass as they are. */
const plainEventBytes = 64 * 1024;
const maxCutEventBytes = 256 * 1024;
const eventLimits: CutLimits = { maxText: 32 * 1024, maxItems: 500 };

/** Nobody here reads these. */
const unread = /^Network\.(?:webSocketFrame|eventSourceMessage|dataReceived)/;
/** Results do not depend on these, so that it is no loss when some are left out. */
const idle = /^(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded|unknown)$/;
/** Without these a visit would wait for what has happened already. */
const vital = new Set(['Inspector.targetCrashed', 'Target.detachedFromTarget', 'Page.javascriptDialogOpening']);

/** What one page was sent so far. */
type SiftAccount = {
  events: number;
  bytes: number;
  /** By kind of what it says. */
  talk: Map<string, { events: number; bytes: number }>;
  /** The page's target; "" when it is not known. */
  target: string;
};

/** The relay answers it itself: how many events of the session's page were left out, but for those that nobody needs. */
export const leftOutCommand = 'Relay.leftOut';

type Sift = {
  /** Notes a command that is on its way to the browser. @returns answer: of one that is for the relay */
  command(message: Buffer): { method: string; answer?: Buffer };
  /** @returns what is passed on in a message's place; undefined for nothing */
  message(message: Buffer): Buffer | undefined;
  tooLong(begin: Buffer, end: Buffer): Buffer | undefined;
  /** Events and answers that were not passed on, by method. */
  leftOut: Record<string, number>;
};

/**
 * Decides what of the browser's messages is passed on. A hostile page makes the browser talk without end: what it says is
 * cut here, outside of the worker, and a page that goes on for too long is not listened to any more. Answers always come.
 * Chromium writes `id` or `method` first, `sessionId` last. Source: Chrome DevTools Protocol, flat sessions.
 */
export function createSift(): Sift {
  /** Sessions of frames and workers share the account of their page. */
  const accounts = new Map<string, SiftAccount>();
  /** Sessions with the browser itself, from which those of pages come as well. */
  const ofBrowser = new Set(['']);
  const long = new Set<string>();
  const leftOut: Record<string, number> = {};
  /** By target: a session of our own has another account than Playwright's of the same page. */
  const leftOfTarget = new Map<string, number>();
  const leaveOut = (method: string, target = ''): undefined => {
    leftOut[method] = (leftOut[method] ?? 0) + 1;
    if (target !== '' && !idle.test(method)) leftOfTarget.set(target, (leftOfTarget.get(target) ?? 0) + 1);
  };

  const accountOf = (session: string, target = ''): SiftAccount => {
    const known = accounts.get(session);
    if (known) return known;
    const account = { events: 0, bytes: 0, talk: new Map(), target };
    accounts.set(session, account);
    return account;
  };

  const follow = (method: string, session: string, message: Buffer) => {
    if (method !== 'Target.attachedToTarget' && method !== 'Target.detachedFromTarget') return;
    const { sessionId: child, targetInfo } = JSON.parse(message.toString()).params;
    if (method === 'Target.detachedFromTarget') accounts.delete(child);
    else if (targetInfo?.type === 'browser') ofBrowser.add(child);
    else if (ofBrowser.has(session)) accountOf(child, targetInfo?.targetId);
    else accounts.set(child, accountOf(session));
  };

  const talked = (method: string, account: SiftAccount, message: Buffer): Buffer | undefined => {
    const said = account.talk.get(method) ?? { events: 0, bytes: 0 };
    account.talk.set(method, said);
    said.events += 1;
    if (said.events > maxTalkEvents || message.length > maxTalkEventBytes) return leaveOut(method, account.target);
    const isBinding = method === 'Runtime.bindingCalled';
    if (isBinding && !isCall(message)) return leaveOut(method);
    // Half a call could not be read.
    const kept = isBinding ? message : shortened(message, talkLimits);
    said.bytes += kept.length;
    return said.bytes > maxTalkBytes ? leaveOut(method, account.target) : kept;
  };

  const event = (method: string, session: string, message: Buffer): Buffer | undefined => {
    if (unread.test(method)) return undefined;
    follow(method, session, message);
    if (ofBrowser.has(session)) return message.length > plainEventBytes ? shortened(message, eventLimits) : message;
    const account = accountOf(session);
    account.events += 1;
    account.bytes += message.length;
    const isTooMuch = account.events > maxEvents || account.bytes > maxEventBytes;
    if (isTooMuch && !vital.has(method)) return leaveOut(method, account.target);
    if (talk.has(method)) return talked(method, account, message);
    if (message.length <= plainEventBytes) return message;
    const kept = shortened(message, eventLimits);
    return kept.length > maxCutEventBytes ? leaveOut(method, account.target) : kept;
  };

  const refusal = (id: string, session: string): Buffer => {
    leaveOut('answer');
    const error = { code: -32000, message: 'the answer is longer than is passed on' };
    return Buffer.from(JSON.stringify({ id: Number(id), error, ...(session !== '' && { sessionId: session }) }));
  };

  return {
    leftOut,
    command(message) {
      const { id, method, sessionId } = JSON.parse(message.toString());
      if (longAnswers.has(method)) long.add(String(id));
      if (method !== leftOutCommand) return { method };
      const result = { count: leftOfTarget.get(accounts.get(sessionId)?.target ?? '') ?? 0 };
      return { method, answer: Buffer.from(JSON.stringify({ id, result, sessionId })) };
    },
    message(message) {
      const { id, method, session } = envelope(message, message);
      if (id === undefined) return event(method, session, message);
      const mayBeLong = long.delete(id);
      return message.length > maxAnswerBytes && !mayBeLong ? refusal(id, session) : message;
    },
    tooLong(begin, end) {
      const { id, method, session } = envelope(begin, end);
      if (id === undefined) return leaveOut(method, accounts.get(session)?.target);
      long.delete(id);
      return refusal(id, session);
    },
  };
}

function envelope(begin: Buffer, end: Buffer): { id: string | undefined; method: string; session: string } {
  const first = begin.toString('latin1', 0, 100);
  const last = end.toString('latin1', Math.max(0, end.length - 100));
  return {
    id: /^\{"id":(-?\d+)/.exec(first)?.[1],
    method: /^\{"method":"([\w.]+)"/.exec(first)?.[1] ?? 'unknown',
    session: /"sessionId":"(\w+)"\}$/.exec(last)?.[1] ?? '',
  };
}

const shortened = (message: Buffer, limits: CutLimits): Buffer =>
  Buffer.from(JSON.stringify(cut(JSON.parse(message.toString()), limits)));

/** Pages can call the function behind Playwright's bindings themselves, with anything; it would throw at what is no call. */
function isCall(message: Buffer): boolean {
  try {
    const call: unknown = JSON.parse(JSON.parse(message.toString()).params.payload);
    return typeof call === 'object' && call !== null && 'name' in call && typeof call.name === 'string';
  } catch {
    return false;
  }
}
