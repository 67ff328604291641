import type { BrowserContext } from 'playwright-core';
import type { Explored } from '../../../model/browser.ts';
import { messageMark } from '../../../model/socket-messages.ts';
import { opensTalk, rootOfMessage } from '../../gate/message-words.ts';
import { noteRequest, type Watch } from '../watch.ts';

const maxMessages = 40;
const maxSockets = 40;
const maxLength = 16 * 1024;
/** A conversation that needs more before it is not held. */
const maxBefore = 3;
/** What keeps a connection open says nothing. */
const beat = /^(?:ping|pong|heartbeat|hb|keep-?alive)?$/i;

/** @property unread WebSockets over which something goes that is not noted, or nothing */
type WatchedMessages = { unread(): Explored['unreadSockets'] };

/**
 * Opens the WebSockets of pages within the browser alone: nothing of them leaves it. What a page sends is noted as the body of a request,
 * as far as it is text, each message once.
 */
export async function watchMessages(
  context: BrowserContext,
  watch: Watch,
  isAllowed: (url: string) => boolean,
): Promise<WatchedMessages> {
  const seen = new Set<string>();
  const heard = new Set<string>();
  const silent = new Set<string>();
  const unread = new Set<string>();
  const leave = (url: string) => {
    if (unread.size < maxSockets) unread.add(url);
  };
  await context.routeWebSocket(
    () => true,
    (socket) => {
      const before: string[] = [];
      const url = socket.url();
      if (silent.size < maxSockets) silent.add(url);
      const protocols = socket.protocols().join(', ');
      socket.onMessage((message) => {
        if (typeof message !== 'string') return leave(url);
        if (beat.test(message.trim())) return;
        heard.add(url);
        const key = `${url} ${message}`;
        if (seen.has(key)) return;
        if (message.length > maxLength || message.includes(messageMark) || seen.size >= maxMessages) return leave(url);
        if (/^\s*[{[]/.test(message) && typeof rootOfMessage(message) !== 'object') return leave(url);
        seen.add(key);
        const opened = before.slice(0, maxBefore);
        const type = /^\s*[{[]/.test(message) ? 'application/json' : 'text/plain;charset=UTF-8';
        const headers = [
          ['content-type', type] as const,
          ...(protocols === '' ? [] : [['sec-websocket-protocol', protocols] as const]),
        ];
        noteRequest(watch, isAllowed, url, 'POST', headers, message, opened);
        if (opensTalk(message, true)) before.push(message);
      });
    },
  );
  return {
    unread: () => [
      ...[...unread].map((url) => ({ url, isSilent: false })),
      ...[...silent].filter((url) => !heard.has(url) && !unread.has(url)).map((url) => ({ url, isSilent: true })),
    ],
  };
}
