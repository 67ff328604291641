import { randomBytes } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import * as assert from 'uvu/assert';
import { build, type CoreProgram } from '../../core/build.ts';
import { issueKey, type NewKey } from '../../core/keys/issue-key.ts';
import type { Service } from '../../core/services.ts';
import { createLogger, type Logger } from '../../kit/logger.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { ErrorInfoSchema, RetryInfoSchema } from '../../proto/gen/google/rpc/error_details_pb.ts';
import { DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { migratedDatabase } from '../support/servers.ts';

export const silent = createLogger('test', 'silent');

type CoreOptions = { temporalAddress?: string; log?: Logger; services?: Service[]; drainDelayMs?: number };

/** The real program over a database of the test's own. Temporal is down unless an address is given. */
export async function startCore(options: CoreOptions = {}) {
  const database = await migratedDatabase();
  const { log = silent, services, drainDelayMs = 0 } = options;
  const program = build({
    databaseUrl: database.appUrl,
    databasePoolSize: 20,
    temporal: {
      // The discard port: nothing listens on it.
      address: options.temporalAddress ?? '127.0.0.1:9',
      namespace: 'default',
      taskQueuePrefix: `test-${randomBytes(4).toString('hex')}`,
    },
    encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
    log,
    drainDelayMs,
    ...(services && { services }),
  });
  const port = await program.listen('127.0.0.1', 0);
  const baseUrl = `http://127.0.0.1:${port}`;
  const key = await operatorKey(program);
  return {
    program,
    database,
    baseUrl,
    port,
    operatorKey: key,
    operator: rpcClients({ baseUrl, key }),
    /** Clients that call with a key, or with none. */
    as: (secret?: string) => rpcClients({ baseUrl, ...(secret !== undefined && { key: secret }) }),
    close: async () => {
      await program.close();
      await database.drop();
    },
  };
}

export type TestCore = Awaited<ReturnType<typeof startCore>>;

async function operatorKey(program: CoreProgram): Promise<string> {
  const wanted: NewKey = { kind: 'operator', orgId: '', name: 'test', scopes: [] };
  return (await issueKey(program.core.em, wanted)).secret;
}

const allScopes = ['scans:read', 'scans:write', 'domains:write', 'org:write'];

/** An org with a plan and a key with the given scopes. */
export async function newOrg({ operator }: TestCore, { plan = 'test', scopes = allScopes } = {}) {
  const { orgId } = await operator(OrgService).createOrg({ name: 'Example', plan });
  const issued = await operator(KeyService).issueKey({ kind: KeyKind.ORG, orgId, name: 'ci', scopes });
  return { orgId, key: issued.secret, keyId: issued.key?.keyId ?? '' };
}

export const issueServiceKey = async ({ operator }: TestCore, scopes: string[] = allScopes): Promise<string> =>
  (await operator(KeyService).issueKey({ kind: KeyKind.SERVICE, name: 'billing', scopes })).secret;

export const approve = ({ operator }: TestCore, orgId: string, domain: string, includeSubdomains = false) =>
  operator(DomainService).approveDomain({ orgId, domain, includeSubdomains });

/** How a call was refused. */
export async function refused(call: Promise<unknown>): Promise<ConnectError & { reason: string; retryMs: number }> {
  try {
    await call;
  } catch (error) {
    assert.instance(error, ConnectError);
    const connectError = ConnectError.from(error);
    const [info] = connectError.findDetails(ErrorInfoSchema);
    const [retry] = connectError.findDetails(RetryInfoSchema);
    const delay = retry?.retryDelay;
    const retryMs = delay ? Number(delay.seconds) * 1000 + delay.nanos / 1e6 : Number.NaN;
    return Object.assign(connectError, { reason: info?.reason ?? Code[connectError.code], retryMs });
  }
  throw new Error('the call was not refused');
}

export const isRefused = async (call: Promise<unknown>, reason: string): Promise<void> =>
  assert.is((await refused(call)).reason, reason);

/** The call fails with a message like this. */
export async function fails(call: Promise<unknown>, message: string | RegExp, hint?: string): Promise<void> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.instance(failure, Error, hint ?? 'it did not fail');
  assert.match(String(failure), message, hint);
}
