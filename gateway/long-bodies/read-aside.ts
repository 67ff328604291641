import { type Message, mergeFromBinary } from '@bufbuild/protobuf';
import { AsideLimitError, type AsideLimits, createAside } from '../../kit/aside.ts';
import type { ReasonName } from '../../kit/reasons.ts';
import type { Endpoint } from '../endpoints.ts';
import { type FieldError, GatewayRefusal } from '../errors.ts';

/** What the thread is given, and what it answers: the message in protobuf's binary form, or why there is none. */
export type BodyTask = { rpc: string; body: Uint8Array };
export type BodyResult =
  | { message: Uint8Array }
  | { refusal: { reason: ReasonName; detail: string; errors: readonly FieldError[] } };

/** Many times what the longest body takes that describes something. */
const usualLimits: AsideLimits = { timeoutMs: 10_000, maxHeapMb: 128 };

/** Fills the request message of an endpoint from a long body. @throws Refusal; the signal's reason */
export type BodyReader = (message: Message, endpoint: Endpoint, body: Uint8Array, signal: AbortSignal) => Promise<void>;

/** Makes a reader that does as `readBody` in a thread of its own: a long body keeps no other request waiting. */
export function createBodyReader(limits: Partial<AsideLimits> = {}): BodyReader {
  const aside = createAside(new URL('./thread.ts', import.meta.url), { ...usualLimits, ...limits });
  return async (message, { rpc }, body, signal) => {
    // Moved, not copied: nobody needs the bytes here any more.
    const moved = new Uint8Array(body);
    const task: BodyTask = { rpc: rpc.toString(), body: moved };
    const result = (await aside(task, signal, [moved.buffer]).catch(refuse)) as BodyResult;
    if ('refusal' in result) {
      const { reason, detail, errors } = result.refusal;
      throw new GatewayRefusal(reason, detail, { errors });
    }
    mergeFromBinary(rpc.input, message, result.message);
  };
}

function refuse(error: unknown): never {
  if (error instanceof AsideLimitError)
    throw new GatewayRefusal('INVALID_BODY', `The request body: ${error.message}. Send a smaller one.`);
  throw error;
}
