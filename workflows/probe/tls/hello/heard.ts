import { ProbeError } from '../../../model/probe-error.ts';
import type { TlsHandshake } from '../../../model/tls.ts';
import { type HelloAnswer, type HelloVersion, helloVersions } from '../../../model/tls-hello.ts';
import { suitesOf } from './suites.ts';

/**
 * A server that takes offence at how our hellos are written refuses what it speaks with others: nothing is known of it then, least
 * of all that it lacks something. @throws ProbeError
 */
export function assertHeard(
  { protocol, cipher }: TlsHandshake,
  seen: ReadonlyMap<HelloVersion, readonly Pick<HelloAnswer, 'suite'>[]>,
): void {
  const version = helloVersions.find((each) => each === protocol);
  if (!version || !suitesOf(version).includes(cipher)) return;
  if (seen.get(version)?.some(({ suite }) => suite === cipher)) return;
  throw new ProbeError(
    'protocol_error',
    `the server takes ${cipher} (${protocol}) in a handshake, and refuses hellos that offer it`,
  );
}
