import type { Decision } from '../../model/gate.ts';
import { parseJson } from '../../model/json.ts';
import { messagesOf } from '../../model/socket-messages.ts';
import { calledProcedure } from '../program-parts.ts';
import { isAdding } from './adding.ts';
import { asksAs, asksAsNamed, commandOfText, commandsIn, isLookup, opensTalk, rootOfMessage } from './message-words.ts';
import { makingIn } from './mild-words.ts';
import { allowed, type Circumstances, mayDo, refused } from './refusal.ts';
import { actingInName, appliedIn } from './words.ts';

/**
 * A message over a WebSocket, whose address says nothing of what it does: its command has to ask, and on a test system not to act. What
 * goes before it over the same connection has to open it, and to do nothing else.
 * @returns undefined where it is judged on as a request
 */
export function decideMessage(body: string, { depth, writes, visitor }: Circumstances): Decision | undefined {
  const before = messagesOf(body);
  const message = before.pop() ?? '';
  const isTestSystem = depth === 'deep' && writes === 'create' && visitor !== 'admin';
  if (!before.every((each) => opensTalk(each, isTestSystem)))
    return refused('websocket', 'what goes before it over a WebSocket may do something');
  if (message === '') return allowed;
  const root = rootOfMessage(message);
  const isText = typeof root !== 'object' || root === null;
  const commands = isText ? firstWord(message) : commandsIn(root);
  for (const command of commands) {
    const word = actingInName(command)?.word;
    if (word !== undefined && !(isTestSystem && isAdding(word))) return refused('would-act', mayDo(word));
  }
  const asks = isText
    ? commandOfText(message) !== undefined
    : commands.length > 0
      ? commands.every(asksAs)
      : isLookup(root);
  if (isTestSystem || asks) return asks ? allowed : undefined;
  return refused('websocket', 'what is sent over a WebSocket may do something');
}

const firstWord = (text: string): string[] => /^[/!]?([A-Za-z][\w-]{1,30})(?=[\s:|]|$)/.exec(text)?.slice(1) ?? [];

/**
 * Whether a body calls one procedure whose name says that it asks and nothing else, as those of interfaces that have one address for all do:
 * {"method":"parts.find","params":{…}}. Source: JSON-RPC 2.0 §4.
 */
export function asksByName(body: string): boolean {
  const root = parseJson(body);
  const called = calledProcedure(root);
  if (called === undefined || commandsIn(root).some((command) => command !== called.value)) return false;
  const last = called.value.split(/[./:]/).at(-1) ?? '';
  const words = called.value.replaceAll(/[./:]/g, '-');
  return asksAsNamed(last) && [actingInName, appliedIn, makingIn].every((read) => read(words) === undefined);
}
