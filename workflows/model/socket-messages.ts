/** Stands between the messages of one body, which go over one connection one after the other. No message that is sent has it. */
export const messageMark = '\u241e';

/** A WebSocket. Source: RFC 6455 §3. */
export const isSocketUrl = (url: string): boolean => /^wss?:/i.test(url);

/** The messages of a body that goes to a WebSocket: the last one is answered, those before it open the conversation. */
export const messagesOf = (body: string): string[] => body.split(messageMark);

export const bodyOfMessages = (messages: readonly string[]): string => messages.join(messageMark);

/** The body that opens the same conversation, and says nothing in it: what comes by itself answers it. */
export const listeningBody = (body: string): string => bodyOfMessages([...messagesOf(body).slice(0, -1), '']);

/** What a body says without what its page sends before. */
export const lastMessage = (url: string, body: string): string =>
  isSocketUrl(url) ? body.slice(body.lastIndexOf(messageMark) + 1) : body;
