import { ProbeError } from '../../model/probe-error.ts';
import type { TlsHandshake } from '../../model/tls.ts';
import type { TlsServer } from '../../model/tls-hello.ts';
import type { CheckContext } from '../contract.ts';

/**
 * A handshake in which the server is asked for a response of OCSP, which some make only then. Undefined where it refuses to be
 * asked, or wants a certificate of the client's: then nothing is known of it.
 * @throws ProbeError
 */
export async function askedForStaple({ tls }: CheckContext, server: TlsServer): Promise<TlsHandshake | undefined> {
  try {
    const handshake = await tls.handshake({ ...server, asksForStaple: true });
    return handshake.hello ? undefined : handshake;
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'tls_failed') return undefined;
    throw error;
  }
}
