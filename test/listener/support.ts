import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newCallbackToken } from '../../kit/callback-token.ts';
import { createLogger } from '../../kit/logger.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { startListener } from '../../listener/build.ts';
import { type Callback, CallbackProtocolSchema, CallbackService } from '../../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { startCore } from '../gateway/support.ts';

/** A listener on free ports of loopback, with a core that keeps what it is given. */
export async function startTestListener() {
  const reported: Callback[] = [];
  let isAway = false;
  const core = await startCore((router) => {
    router.service(CallbackService, {
      recordCallbacks: ({ callbacks }) => {
        if (isAway) throw new Error('away');
        reported.push(...callbacks);
        return { accepted: callbacks.length };
      },
    });
  });
  const secret = randomBytes(24).toString('base64url');
  const runId = randomUUID();
  const listener = await startListener(
    { host: '127.0.0.1', ports: { http: 0, https: 0, dns: 0, smtp: 0 }, secret, address: '203.0.113.9' },
    { core: rpcClients({ baseUrl: core.baseUrl })(CallbackService), logger: createLogger('listener', 'silent') },
  );
  return {
    ...{ listener, secret, runId, ports: listener.ports },
    url: `http://127.0.0.1:${listener.ports.http}`,
    token: () => newCallbackToken(secret, runId),
    goAway: () => {
      isAway = true;
    },
    comeBack: () => {
      isAway = false;
    },
    /** All that was reported to core, once there are so many. */
    async reported(count: number): Promise<Callback[]> {
      for (let tries = 0; reported.length < count && tries < 200; tries += 1) await sleep(25);
      return reported;
    },
    async close() {
      await listener.close();
      await core.stop();
    },
  };
}

/** "http <token>" of each. */
export const shown = (callbacks: readonly Callback[]): string[] =>
  callbacks.map(({ protocol, token }) => `${CallbackProtocolSchema.value[protocol]?.localName.toLowerCase()} ${token}`);
