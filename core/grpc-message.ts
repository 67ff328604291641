import type { ConnectRouter } from '@connectrpc/connect';
import type { UniversalHandlerFn } from '@connectrpc/connect/protocol';
import { percentDecodedOrSame } from '../kit/percent.ts';

const header = 'grpc-message';

/**
 * Lets the messages of errors reach every gRPC client as they were written. Connect encodes them with encodeURIComponent,
 * which also encodes reserved characters such as ":"; @grpc/grpc-js decodes with decodeURI, which leaves those encoded.
 * The protocol encodes only "%" and what is not printable ASCII, which all clients decode alike.
 * Source: gRPC over HTTP/2, Status-Message (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#responses).
 */
export function encodeMessagesByProtocol({ handlers }: ConnectRouter): void {
  for (const [index, handler] of handlers.entries()) {
    const encoded: UniversalHandlerFn = async (request) => {
      const response = await handler(request);
      const { trailer } = response;
      if (!trailer) return response;
      // Read after the body: only then does the trailer hold the status.
      return {
        ...response,
        get trailer() {
          return withMessageByProtocol(trailer);
        },
      };
    };
    handlers[index] = Object.assign(encoded, handler);
  }
}

function withMessageByProtocol(trailer: Headers): Headers {
  const message = trailer.get(header);
  if (message === null) return trailer;
  const copy = new Headers(trailer);
  copy.set(header, encode(percentDecodedOrSame(message)));
  return copy;
}

const encode = (message: string) => message.replace(/[^ -$&-~]/gu, encodeURIComponent);
