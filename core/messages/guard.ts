import type { DescMethod } from '@bufbuild/protobuf';
import {
  type EnvelopedMessage,
  pipe,
  transformJoinEnvelopes,
  transformSplitEnvelope,
  type UniversalHandler,
} from '@connectrpc/connect/protocol';
import { excessOf, requestBounds } from '../../kit/json-bounds.ts';
import { RunService } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { Refusal, toConnectError } from '../errors.ts';
import { callerBounds, excessOnWire, workerBounds } from './wire-bounds.ts';

/** What has no more bytes cannot hold much. */
const harmlessBytes = 64 * 1024;

/**
 * Looks through long messages before they are parsed, which comes before all interceptors: a few megabytes can stand for
 * millions of objects, and whoever sends them may not even have a key.
 * @param maxBytes of a message
 */
export function guarded(handler: UniversalHandler, maxBytes: number): UniversalHandler {
  const guard: UniversalHandler = Object.assign((request: Parameters<UniversalHandler>[0]) => {
    const { body, header } = request;
    if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return handler(request);
    const type = header.get('content-type') ?? '';
    const check = checkOf(handler.method, /\bjson\b/i.test(type));
    const isEnveloped = /^application\/(?:grpc|connect\+)/i.test(type);
    if (isEnveloped && hasOneMessage(handler.method))
      return handler({ ...request, body: unlessShort(body, (long) => checkedEnvelopes(long, maxBytes, check)) });
    const checked = isEnveloped ? checkedEnvelopes(body, maxBytes, check) : checkedWhole(body, maxBytes, check);
    return handler({ ...request, body: checked });
  }, handler);
  return guard;
}

const hasOneMessage = ({ methodKind }: DescMethod): boolean =>
  methodKind === 'unary' || methodKind === 'server_streaming';

/** Passes a body on as it is when all of it is harmless, which most are: taking messages apart costs more than handling them. */
async function* unlessShort(
  body: AsyncIterable<Uint8Array>,
  check: (body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const iterator = body[Symbol.asyncIterator]();
  const all: AsyncIterable<Uint8Array> = {
    async *[Symbol.asyncIterator]() {
      yield* chunks;
      yield* { [Symbol.asyncIterator]: () => iterator };
    },
  };
  try {
    while (length <= harmlessBytes) {
      const { done, value } = await iterator.next();
      if (done) return yield* chunks;
      chunks.push(value);
      length += value.byteLength;
    }
    yield* check(all);
  } finally {
    await iterator.return?.();
  }
}

type MessageCheck = (message: Uint8Array) => void;

function checkOf(method: DescMethod, isJson: boolean): MessageCheck {
  const bounds = method.parent.typeName === RunService.typeName ? workerBounds : callerBounds;
  return (message) => {
    if (message.byteLength <= harmlessBytes) return;
    const excess = isJson ? excessOf(message, requestBounds) : excessOnWire(method.input, message, bounds);
    if (excess !== undefined) throw toConnectError(new Refusal('INVALID_BODY', { message: `The message ${excess}.` }));
  };
}

function checkedEnvelopes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  check: MessageCheck,
): AsyncIterable<Uint8Array> {
  return pipe(
    body,
    transformSplitEnvelope(maxBytes),
    (messages) => checkEach(messages, check),
    transformJoinEnvelopes(),
  );
}

async function* checkEach(
  messages: AsyncIterable<EnvelopedMessage>,
  check: MessageCheck,
): AsyncIterable<EnvelopedMessage> {
  for await (const message of messages) {
    check(message.data);
    yield message;
  }
}

/** A message that is the whole body. What is longer than allowed is left to the handler, which refuses it. */
async function* checkedWhole(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  check: MessageCheck,
): AsyncIterable<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > maxBytes) break;
  }
  if (length <= maxBytes) check(Buffer.concat(chunks));
  yield* chunks;
}
