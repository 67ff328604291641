import { parseJson } from '../../model/json.ts';
import { ProbeError } from '../../model/probe-error.ts';

/** Members by which a message says what it is for. */
const commandNames = /^(?:type|action|event|cmd|command|op|operation|method|kind)$/i;
/** What only asks. */
const asking =
  /^(?:search|find|filter|query|look-?_?up|suggest|auto-?_?complete|list|get|fetch|read|load|show|history|count|ping|echo|calc(?:ulate)?|convert|translate|validate|check)(?:$|[-_:./A-Z])/;
/** So do these of messages, where they are no names of pages. */
const askingMore =
  /^(?:view|preview|render|info|stats|describe|compare|estimate|browse|tail|whois|dig|nslookup|traceroute)(?:$|[-_:./A-Z])/;
/** Members of a message without a command that are looked up. */
const searched = /^(?:q|query|search(?:_?(?:text|term|query|word))?|terms?|keywords?|filter|lookup|needle)$/i;
/** How a conversation begins: who it is, and what is listened to. */
const opening =
  /^(?:hello|hi|init(?:iali[sz]e)?|connect|connection[-_]?init|auth(?:enticate|ori[sz]e)?|identify|handshake|resume|session|sub(?:scribe)?|listen|watch|use|select|open|version|config|setup|ready)$/i;
/** Others may be told of these. */
const entering = /^(?:join|enter|login|log[-_]?in|register|start)(?:$|[-_:./A-Z])/;
/** Members of a message without a command that say who it is. */
const identifying =
  /^(?:token|jwt|auth(?:orization)?|access_?token|session(?:_?id)?|api_?key|version|v|client|lang(?:uage)?)$/i;
/** A text that begins with a command, as "search bolt" and "FIND:bolt". */
const commandText = /^[/!]?([A-Za-z][\w.-]{1,30})(?:[:|]\s?|\s+)(?=[^\s/])/;
const maxDepth = 3;

/** The value of a message in JSON; undefined for what is none, or is deeper than any is. */
export function rootOfMessage(message: string): unknown {
  try {
    return parseJson(message);
  } catch (error) {
    if (error instanceof ProbeError) return undefined;
    throw error;
  }
}

/** Whether the name of a member says that it has the command. */
export const namesMessageCommand = (name: string): boolean => commandNames.test(name);

/** Whether the name of a procedure only asks: "find", "getOrder". */
export const asksAsNamed = (name: string): boolean => asking.test(name);

/** Whether the command of a message only asks: "search", "GET_HISTORY", "parts.find". */
export function asksAs(command: string): boolean {
  const written = /^[A-Z\d_.:/-]+$/.test(command) ? command.toLowerCase() : command.replace(/^[A-Z](?=[a-z])/, lower);
  return [written, written.split(/[./:]/).at(-1) ?? ''].some((name) => asking.test(name) || askingMore.test(name));
}

const lower = (letter: string): string => letter.toLowerCase();

/** The command of a message that is no JSON, up to what it is given: "search " of "search bolt". Undefined where it has none. */
export function commandOfText(text: string): { prefix: string; command: string } | undefined {
  const [prefix, command = ''] = commandText.exec(text) ?? [];
  return prefix !== undefined && asksAs(command) ? { prefix, command } : undefined;
}

/** What a message calls of a program that has one address for all: "search" of {"type":"search"}, of ["search", …] and of "search bolt". */
export function calledByMessage(message: string): string | undefined {
  const root = rootOfMessage(message);
  if (typeof root !== 'object' || root === null) return commandOfText(message)?.command;
  if (Array.isArray(root)) return typeof root[0] === 'string' ? root[0] : undefined;
  const [, called] =
    Object.entries(root).find(([name, value]) => commandNames.test(name) && typeof value === 'string') ?? [];
  return called as string | undefined;
}

/** All that a message says of what it is for. */
export function commandsIn(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  // Many libraries send a list whose first text is the name of an event.
  if (Array.isArray(value))
    return value.flatMap((each, index) =>
      index === 0 && typeof each === 'string' ? each : commandsIn(each, depth + 1),
    );
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'string' ? (commandNames.test(name) ? each : []) : commandsIn(each, depth + 1),
  );
}

/** Whether a message without a command has texts in members for searches alone. */
export function isLookup(root: unknown): boolean {
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return false;
  const members = Object.entries(root);
  const texts = members.filter(([, value]) => typeof value === 'string');
  return (
    texts.length > 0 &&
    texts.every(([name, value]) => searched.test(name) && !String(value).includes('{')) &&
    members.every(([, value]) => typeof value !== 'object')
  );
}

/**
 * Whether a message opens a conversation, and does nothing else: it says who is there, or what is listened to.
 * @param mayEnter others may be told of it
 */
export function opensTalk(message: string, mayEnter: boolean): boolean {
  // Whoever subscribes with an address is written to.
  if (message.includes('@')) return false;
  const isOpening = (command: string) => opening.test(command) || (mayEnter && entering.test(command.toLowerCase()));
  const root = rootOfMessage(message);
  if (typeof root !== 'object' || root === null) return isOpening(/^\s*([\w-]{2,30})\b/.exec(message)?.[1] ?? '');
  const commands = commandsIn(root);
  if (commands.length > 0) return commands.every(isOpening);
  const names = Object.keys(root);
  return !Array.isArray(root) && names.length > 0 && names.every((name) => identifying.test(name));
}
