import type { BrowserContext } from 'playwright-core';
import { noteRequest, type Watch } from '../watch.ts';

const maxMessages = 40;

/**
 * Opens the WebSockets of pages within the browser alone: nothing of them leaves it. What a page sends is noted as the body of a request,
 * as far as it is JSON.
 */
export async function watchMessages(
  context: BrowserContext,
  watch: Watch,
  isAllowed: (url: string) => boolean,
): Promise<void> {
  let count = 0;
  await context.routeWebSocket(
    () => true,
    (socket) => {
      socket.onMessage((message) => {
        if (typeof message !== 'string' || !/^\s*[{[]/.test(message) || count >= maxMessages) return;
        count += 1;
        noteRequest(watch, isAllowed, socket.url(), 'POST', [['content-type', 'application/json']], message);
      });
    },
  );
}
