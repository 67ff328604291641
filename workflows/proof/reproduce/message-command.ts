import type { RequestOptions, RequestText } from './request-words.ts';
import { literalOf, wordOf } from './text.ts';

/** It goes to a WebSocket. */
export const isMessageText = ({ url }: RequestText): boolean => /^wss?:/i.test(literalOf(url));

/** Sends the body as one message over a WebSocket, and shows the first one that answers. Source: https://github.com/vi/websocat */
export function messageCommand({ url, headers, body = [] }: RequestText, options: RequestOptions): string {
  const own = headers.filter(([name]) => !/^(?:content-type|referer)$/i.test(name));
  const words = [...(options.scopeHeaders ?? []), ...own].flatMap(([name, value]) => [
    '-H',
    wordOf([`${name}: `, ...value]),
  ]);
  const insecure = options.insecure ? ['-k'] : [];
  return `printf '%s\\n' ${wordOf(body)} | ${['websocat', '-1', ...insecure, ...words, wordOf(url)].join(' ')}`;
}
