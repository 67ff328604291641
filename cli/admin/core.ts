import type { DescService } from '@bufbuild/protobuf';
import { type Client, Code, ConnectError } from '@connectrpc/connect';
import { z } from 'zod';
import { type Credentials, readCredentials } from '../../kit/certificates.ts';
import { ConfigError, readConfig } from '../../kit/config.ts';
import { coreTlsShape, readCoreTls } from '../../kit/core-connection.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { BadRequestSchema } from '../../proto/gen/google/rpc/error_details_pb.ts';
import type { EnvironmentVariables } from '../settings.ts';
import { Trouble } from '../trouble.ts';

/** Clients of core's services, with the operator's key. */
export type AdminCore = <S extends DescService>(service: S) => Client<S>;

const shape = {
  SCAN_AUDIT_CORE: z.url({ protocol: /^https?$/, error: 'use http://host:port or https://host:port' }).optional(),
  SCAN_AUDIT_OPERATOR_KEY: z.string().optional(),
  ...coreTlsShape,
};

/**
 * The key comes from the environment alone: what is on a command line can be read by every process of the machine.
 * @param address of the option --core, which goes before SCAN_AUDIT_CORE
 * @throws Trouble
 */
export function openCore(env: EnvironmentVariables, address: string | undefined): AdminCore {
  const given = settings(address === undefined ? env : { ...env, SCAN_AUDIT_CORE: address });
  const { SCAN_AUDIT_CORE, SCAN_AUDIT_OPERATOR_KEY } = given;
  if (SCAN_AUDIT_CORE === undefined)
    throw new Trouble(
      'No core is named: set SCAN_AUDIT_CORE or give --core, for instance --core http://127.0.0.1:7300',
    );
  const key = SCAN_AUDIT_OPERATOR_KEY?.trim();
  if (!key)
    throw new Trouble(
      'No operator key: set SCAN_AUDIT_OPERATOR_KEY. "node core/main.ts issue-operator-key" issues the first one.',
    );
  if (/[^\x21-\x7e]/.test(key))
    throw new Trouble('SCAN_AUDIT_OPERATOR_KEY has characters that no API key has: copy the key again.');
  const tls = orTrouble(() => tlsOf(given, SCAN_AUDIT_CORE));
  return rpcClients({ baseUrl: SCAN_AUDIT_CORE, key, ...(tls && { tls: () => tls }) });
}

const settings = (env: EnvironmentVariables) => orTrouble(() => readConfig(shape, env));

function tlsOf(given: ReturnType<typeof settings>, address: string): Credentials | undefined {
  const files = readCoreTls(given, address, 'SCAN_AUDIT_CORE');
  return files && readCredentials(files);
}

function orTrouble<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigError ? new Trouble(error.message) : error;
  }
}

/** Waits for an answer of core. @throws Trouble that says in one line what is wrong */
export async function ask<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new Trouble(explain(ConnectError.from(error)));
  }
}

function explain(error: ConnectError): string {
  if (error.code === Code.Unauthenticated)
    return 'Core does not know this key: SCAN_AUDIT_OPERATOR_KEY is mistyped, revoked or expired.';
  if (error.code === Code.PermissionDenied)
    return 'This key is not an operator’s: SCAN_AUDIT_OPERATOR_KEY has to be one.';
  if (error.code === Code.Unavailable || error.code === Code.DeadlineExceeded)
    return `Core cannot be reached: ${error.rawMessage}. Is SCAN_AUDIT_CORE its address?`;
  const fields = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
  if (fields.length === 0) return error.rawMessage;
  return fields.map(({ field, description }) => `${field}: ${description}`).join('; ');
}
