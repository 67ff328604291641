import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { newCallbackToken } from '../../kit/callback-token.ts';
import { CallbackProtocol, type CallbackService } from '../../proto/gen/scanaudit/v1/callbacks_pb.ts';
import type { Callback, CallbackProbe } from '../model/callbacks.ts';
import { type CallOptions, callCore } from './core-call.ts';

/** Where callbacks go, and what makes their tokens; the listener has the same secret. */
export type CallbackSettings = { host: string; secret: string };

/** Longest that core lets one call wait, and tokens that one takes. */
const maxWaitMs = 8_000;
const maxTokens = 1_000;

const words: Partial<Record<CallbackProtocol, Callback['protocol']>> = {
  [CallbackProtocol.HTTP]: 'http',
  [CallbackProtocol.HTTPS]: 'https',
  [CallbackProtocol.DNS]: 'dns',
  [CallbackProtocol.SMTP]: 'smtp',
  [CallbackProtocol.LDAP]: 'ldap',
};

/** One run's callbacks, which core keeps: whichever worker sent a token, any of them may wait for it. */
export function openCallbacks(
  client: Client<typeof CallbackService>,
  runId: string,
  { host, secret }: CallbackSettings,
  calling: CallOptions,
): CallbackProbe {
  const ask = async (tokens: readonly string[], waitMs: number): Promise<Callback[]> => {
    const request = { runId, tokens: [...tokens], waitMs };
    const { callbacks } = await callCore((options) => client.awaitCallbacks(request, options), calling);
    return callbacks.flatMap(({ token, protocol, address, detail, receivedAt }) => {
      const word = words[protocol];
      return word === undefined
        ? []
        : [{ token, protocol: word, address, detail, receivedAtMs: receivedAt ? timestampMs(receivedAt) : 0 }];
    });
  };
  return {
    host,
    newToken: () => newCallbackToken(secret, runId),
    async wait(tokens, waitMs) {
      const endMs = Date.now() + waitMs;
      const found: Callback[] = [];
      let open = [...new Set(tokens)];
      for (;;) {
        const leftMs = Math.max(0, endMs - Date.now());
        // Only the first call of a list that is longer than one call takes waits; the others look.
        const batches = Array.from({ length: Math.ceil(open.length / maxTokens) }, (_, index) =>
          open.slice(index * maxTokens, (index + 1) * maxTokens),
        );
        const perCallMs = Math.floor(Math.min(maxWaitMs, leftMs) / Math.max(1, batches.length));
        for (const batch of batches) found.push(...(await ask(batch, perCallMs)));
        open = open.filter((token) => found.every((callback) => callback.token !== token));
        if (open.length === 0 || leftMs === 0) return found;
      }
    },
  };
}
