import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, Code, ConnectError } from '@connectrpc/connect';
import { LRUCache } from 'lru-cache';
import { callbackTokensIn } from '../kit/callback-token.ts';
import type { Logger } from '../kit/logger.ts';
import type { CallbackProtocol, CallbackService } from '../proto/gen/scanaudit/v1/callbacks_pb.ts';

/** One request of somebody on the internet, as one of the protocols understands it. */
type ReceivedCall = {
  protocol: CallbackProtocol;
  /** IP address of the other end. */
  address: string;
  /** Where a token may stand: a host name, a path, an address of a mail. */
  texts: readonly string[];
  /** What was asked for, in a word or two. */
  detail: string;
};

export type Reporter = {
  /** Reports what has a valid token; all else is forgotten at once. @returns the valid tokens */
  receive(received: ReceivedCall): string[];
  /** Callbacks that could not be reported to core, and will not be. */
  lost(): number;
  /** Reports what is left to core, for a few seconds at most. */
  close(): Promise<void>;
};

type Reported = { runId: string; token: string; protocol: CallbackProtocol; address: string; detail: string };

/** Callbacks that wait for core. Only holders of valid tokens can fill it, with each token once by each protocol. */
const maxWaiting = 10_000;
/** Tokens that need not be reported again. */
const maxRemembered = 50_000;
const maxBatch = 100;
const maxDetailLength = 200;
const firstPauseMs = 250;
const maxPauseMs = 5_000;
const closeWithinMs = 5_000;

/** Collects callbacks and reports them to core in batches, again while core is away. */
export function createReporter(options: {
  core: Client<typeof CallbackService>;
  secret: string;
  logger: Logger;
}): Reporter {
  const { core, secret, logger } = options;
  const known = new LRUCache<string, true>({ max: maxRemembered });
  const waiting: Reported[] = [];
  let lost = 0;
  let working: Promise<void> | undefined;
  let isClosing = false;

  const report = async (): Promise<void> => {
    for (let pauseMs = firstPauseMs; waiting.length > 0; ) {
      const batch = waiting.slice(0, maxBatch);
      try {
        await core.recordCallbacks({ callbacks: batch });
        waiting.splice(0, batch.length);
        pauseMs = firstPauseMs;
      } catch (error) {
        const { code, rawMessage: reason } = ConnectError.from(error);
        logger.warn({ code: Code[code], reason, waiting: waiting.length }, 'callbacks were not reported to core yet');
        if (code === Code.InvalidArgument) lost += waiting.splice(0, batch.length).length;
        else if (isClosing) return;
        else await sleep(pauseMs);
        pauseMs = Math.min(maxPauseMs, pauseMs * 2);
      }
    }
  };
  const wake = (): void => {
    working ??= report().finally(() => {
      working = undefined;
      if (waiting.length > 0 && !isClosing) wake();
    });
  };

  return {
    receive({ protocol, address, texts, detail }) {
      const tokens = texts.flatMap((text) => callbackTokensIn(secret, text));
      for (const { token, runId } of tokens) {
        const key = `${protocol} ${token}`;
        if (known.has(key)) continue;
        if (waiting.length >= maxWaiting) {
          lost += 1;
          continue;
        }
        known.set(key, true);
        waiting.push({ runId, token, protocol, address: address.slice(0, 64), detail: printable(detail) });
      }
      if (waiting.length > 0) wake();
      return tokens.map(({ token }) => token);
    },
    lost: () => lost,
    async close() {
      isClosing = true;
      await Promise.race([working ?? report(), sleep(closeWithinMs, undefined, { ref: false })]);
      lost += waiting.length;
      if (waiting.length > 0)
        logger.error({ lost: waiting.length }, 'callbacks were lost: they could not be reported to core');
    },
  };
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, maxDetailLength) || '-';
