import type { Decision } from '../../model/gate.ts';
import { parseJson } from '../../model/json.ts';
import { calledProcedure } from '../program-parts.ts';
import { isAdding } from './adding.ts';
import { makingIn } from './mild-words.ts';
import { allowed, type Circumstances, mayDo, refused } from './refusal.ts';
import { actingInName, appliedIn } from './words.ts';

/** Members by which a message says what it is for. */
const commandNames = /^(?:type|action|event|cmd|command|op|operation|method|kind)$/i;
/** What only asks. */
const asking =
  /^(?:search|find|filter|query|look-?_?up|suggest|auto-?_?complete|list|get|fetch|read|load|show|history|count|ping|echo|calc(?:ulate)?|convert|translate|validate|check)(?:$|[-_:./A-Z])/;
const maxDepth = 3;

/**
 * A message over a WebSocket, whose address says nothing of what it does: its command has to ask, and on a test system not to act.
 * @returns undefined where it is judged on as a request
 */
export function decideMessage(body: string, { depth, writes, visitor }: Circumstances): Decision | undefined {
  const commands = commandsIn(parseJson(body), 0);
  const isTestSystem = depth === 'deep' && writes === 'create' && visitor !== 'admin';
  for (const command of commands) {
    const word = actingInName(command)?.word;
    if (word !== undefined && !(isTestSystem && isAdding(word))) return refused('would-act', mayDo(word));
  }
  const asks = commands.length > 0 && commands.every((command) => asking.test(command));
  if (isTestSystem || asks) return asks ? allowed : undefined;
  return refused('websocket', 'what is sent over a WebSocket may do something');
}

/**
 * Whether a body calls one procedure whose name says that it asks and nothing else, as those of interfaces that have one address for all do:
 * {"method":"parts.find","params":{…}}. Source: JSON-RPC 2.0 §4.
 */
export function asksByName(body: string): boolean {
  const root = parseJson(body);
  const called = calledProcedure(root);
  if (called === undefined || commandsIn(root, 0).some((command) => command !== called.value)) return false;
  const last = called.value.split(/[./:]/).at(-1) ?? '';
  const words = called.value.replaceAll(/[./:]/g, '-');
  return asking.test(last) && [actingInName, appliedIn, makingIn].every((read) => read(words) === undefined);
}

function commandsIn(value: unknown, depth: number): string[] {
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
