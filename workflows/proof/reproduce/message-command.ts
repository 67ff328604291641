import { isSocketUrl, messageMark } from '../../model/socket-messages.ts';
import { type CommandText, isReference, literalOf, wordOf } from './text.ts';

type MessageFields = readonly (readonly [name: string, value: CommandText])[];
type MessageText = { url: CommandText; headers: MessageFields; body?: CommandText };

/** It goes to a WebSocket. */
export const isMessageText = ({ url }: MessageText): boolean => isSocketUrl(literalOf(url));

/** As long as the longest answer is waited for. */
const waitS = 6;

/**
 * Sends the messages of the body over one WebSocket, and shows all that comes until a while after, with what the server says by itself.
 * Source: https://github.com/vi/websocat
 */
export function messageCommand(
  { url, headers, body = [] }: MessageText,
  { insecure, scopeHeaders = [] }: { insecure: boolean; scopeHeaders?: MessageFields },
): string {
  const own = headers.filter(([name]) => !/^(?:content-type|referer|sec-websocket-protocol)$/i.test(name));
  const [, protocol] = headers.find(([name]) => name.toLowerCase() === 'sec-websocket-protocol') ?? [];
  const words = [
    ...(insecure ? ['-k'] : []),
    ...(protocol ? ['--protocol', wordOf(protocol)] : []),
    ...[...scopeHeaders, ...own].flatMap(([name, value]) => ['-H', wordOf([`${name}: `, ...value])]),
  ];
  const messages = messagesIn(body).map(wordOf).join(' ');
  return `(printf '%s\\n' ${messages}; sleep ${waitS}) | ${['websocat', ...words, wordOf(url)].join(' ')}`;
}

/** Each of its own. */
function messagesIn(body: CommandText): CommandText[] {
  const messages: CommandText[number][][] = [[]];
  for (const part of body) {
    const [first = '', ...others] = isReference(part) ? [part] : part.split(messageMark);
    messages.at(-1)?.push(first);
    for (const other of others) messages.push([other]);
  }
  return messages;
}
