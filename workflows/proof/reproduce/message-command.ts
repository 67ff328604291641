import { type CommandText, literalOf, wordOf } from './text.ts';

type MessageFields = readonly (readonly [name: string, value: CommandText])[];
type MessageText = { url: CommandText; headers: MessageFields; body?: CommandText };

/** It goes to a WebSocket. */
export const isMessageText = ({ url }: MessageText): boolean => /^wss?:/i.test(literalOf(url));

/** Sends the body as one message over a WebSocket, and shows the first one that answers. Source: https://github.com/vi/websocat */
export function messageCommand(
  { url, headers, body = [] }: MessageText,
  { insecure, scopeHeaders = [] }: { insecure: boolean; scopeHeaders?: MessageFields },
): string {
  const own = headers.filter(([name]) => !/^(?:content-type|referer)$/i.test(name));
  const words = [...scopeHeaders, ...own].flatMap(([name, value]) => ['-H', wordOf([`${name}: `, ...value])]);
  return `printf '%s\\n' ${wordOf(body)} | ${['websocat', '-1', ...(insecure ? ['-k'] : []), ...words, wordOf(url)].join(' ')}`;
}
