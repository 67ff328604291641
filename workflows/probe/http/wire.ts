import type { Readable } from 'node:stream';
import type { HeaderList } from '../../model/http.ts';
import type { UnaskedMessages } from './unasked-messages.ts';

/** The connection was closed before the request was sent on it: sending it on another one repeats nothing. */
export class StaleConnection extends Error {
  override name = 'StaleConnection';
}

/** The server wants this request over HTTP/1.1. Source: RFC 9113 §7, HTTP_1_1_REQUIRED. */
export class Http1Required extends Error {
  override name = 'Http1Required';
}

export type HttpVersion = '1.1' | '2';

/** A request as it goes on the wire: its path byte for byte. */
export type WireRequest = {
  method: string;
  /** Host and port, as in the Host field of ordinary requests. */
  authority: string;
  path: string;
  headers: HeaderList;
  body: string | Uint8Array | undefined;
  /** The body is a message over a WebSocket that is opened for it. */
  isMessage: boolean;
  /** What such an address sends by itself; nothing is known when not given. */
  unasked?: UnaskedMessages;
  /** No further request will follow. */
  isLast: boolean;
  signal: AbortSignal;
};

/** The head of an answer, and its body as it comes, encoded. */
export type WireAnswer = { status: number; headers: HeaderList; body: Readable };

/** How one version of HTTP speaks on one open socket, one request at a time. */
export type Wire = {
  version: HttpVersion;
  ask(request: WireRequest): Promise<WireAnswer>;
  /** Closes the socket at once. */
  destroy(): void;
  /** Says goodbye on a connection that nothing is on its way on. */
  end(): Promise<void>;
};

/** Names and values of an answer together. Beyond it is an attack: browsers stop at 256 KiB, most servers at 16 KiB. */
export const maxHeaderBytes = 128 * 1024;
/** More than this many fields in one answer is an attack, not a site. */
export const maxHeaderFields = 1000;
