import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { GatewayRefusal } from './errors.ts';

/**
 * Keeps floods of requests without a key away from core.
 *
 * Only answers of 401 are counted, per address (per /64 of IPv6). An address that had too many in a minute is refused
 * here, with 429, for the rest of that minute, but only requests whose Authorization header cannot be a key: it is
 * missing or has not the form of one. What has that form is always passed on, since only core can verify a key and
 * many callers may share an address: a flood never shuts out a neighbour who has a key. Guessed keys of the right form
 * thus still cost core one look-up each, which is as cheap as the counting that could prevent it.
 */
export async function limitAddresses(app: FastifyInstance, maxPerMinute: number): Promise<void> {
  await app.register(rateLimit, { global: false, max: maxPerMinute, timeWindow: 60_000 });
  const failures = app.createRateLimit();

  app.addHook('onRequest', async (request) => {
    if (hasFormOfKey(request.headers.authorization)) return;
    const state = await failures(request, { increment: false });
    if (state.isAllowed || state.remaining > 0) return;
    throw new GatewayRefusal(
      'RATE_LIMITED',
      'Too many requests without a valid API key came from this address. Check the key, and wait as long as Retry-After says.',
      {
        retryAfterSeconds: Math.max(1, state.ttlInSeconds),
      },
    );
  });

  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode === 401) await failures(request);
  });
}

/** The checksum is left to core: whoever can flood can compute it as well. */
function hasFormOfKey(authorization: string | undefined): boolean {
  return /^bearer +sa_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/i.test(authorization ?? '');
}
