import { randomBytes, randomUUID } from 'node:crypto';
import { build as buildCore } from '../../../core/build.ts';
import { issueKey } from '../../../core/keys/issue-key.ts';
import { build as buildGateway } from '../../../gateway/app.ts';
import { createLogger } from '../../../kit/logger.ts';
import { rpcClients } from '../../../kit/rpc.ts';
import { migratedDatabase, testTemporal } from '../../support/servers.ts';
import { askGrpc, closeGrpc } from './grpc.ts';
import type { Ask, Outcome } from './operations.ts';
import { askRest } from './rest.ts';
import { fieldOf } from './values.ts';

/** The whole service but its workers, with nothing in it, and the two ways to ask it. */
export type World = {
  baseUrl: string;
  coreUrl: string;
  temporalAddress: string;
  taskQueuePrefix: string;
  /** Over HTTP, through the gateway. */
  rest: Ask;
  /** Over gRPC, with a client that shares no code with the server. */
  grpc: Ask;
  /** Asks over gRPC with the operator's key, and expects a success. */
  operate(operation: string, request: object): Promise<Outcome>;
  /** Asks over gRPC with a worker's key. */
  work: (operation: string, request: object) => Promise<Outcome>;
  operatorKey: string;
  workerKey: string;
  /** Another core with a gateway of its own, over the same database. */
  startTwin(): Promise<{ rest: Ask; baseUrl: string; close(): Promise<void> }>;
  close(): Promise<void>;
};

/** Both ways to ask: a rule that holds for one holds for the other. */
export const ways = ['rest', 'grpc'] as const;

export const checkoutUrl = 'https://buy.example/credit';

export async function startWorld(settings: { maxFailedKeysPerMinute?: number } = {}): Promise<World> {
  const log = createLogger('test', process.env.TEST_LOG_LEVEL ?? 'silent');
  const [database, temporal] = await Promise.all([migratedDatabase(), testTemporal()]);
  const taskQueuePrefix = `contract-${randomUUID()}`;
  const encryptionKeys = [{ id: 'test', key: randomBytes(32) }];
  const startDoor = async () => {
    const core = buildCore({
      databaseUrl: database.appUrl,
      temporal: { address: temporal.address, namespace: 'default', taskQueuePrefix },
      encryptionKeys,
      checkoutUrl,
      log,
    });
    const coreUrl = `http://127.0.0.1:${await core.listen('127.0.0.1', 0)}`;
    const gateway = await buildGateway({
      clients: rpcClients({ baseUrl: coreUrl }),
      logger: log,
      trustedProxies: [],
      maxFailedKeysPerMinute: 10_000,
      // There is no balancer that would have to notice.
      drainDelayMs: 0,
      ...settings,
    });
    return { core, coreUrl, gateway, baseUrl: await gateway.app.listen({ host: '127.0.0.1', port: 0 }) };
  };
  const { core, coreUrl, gateway, baseUrl } = await startDoor();
  const operator = { kind: 'operator', orgId: '', name: 'test', scopes: [] } as const;
  const operatorKey = (await issueKey(core.core.em, operator)).secret;
  const grpc = askGrpc(coreUrl);
  const operate = async (operation: string, request: object) => {
    const outcome = await grpc(operation, request, { key: operatorKey });
    if (outcome.reason !== 'OK') throw new Error(`${operation}: ${outcome.reason} ${JSON.stringify(outcome.body)}`);
    return outcome;
  };
  const worker = await operate('KeyService/IssueKey', { kind: 'worker', name: 'test' });
  const workerKey = String(fieldOf(worker.body, 'secret'));
  return {
    baseUrl,
    coreUrl,
    temporalAddress: temporal.address,
    taskQueuePrefix,
    rest: askRest(baseUrl),
    grpc,
    operate,
    work: (operation, request) => grpc(operation, request, { key: workerKey }),
    operatorKey,
    workerKey,
    startTwin: async () => {
      const twin = await startDoor();
      const close = async () => {
        await twin.gateway.drain();
        await twin.core.close();
      };
      return { rest: askRest(twin.baseUrl), baseUrl: twin.baseUrl, close };
    },
    close: async () => {
      await gateway.drain();
      closeGrpc();
      await core.close();
      await database.drop();
    },
  };
}
