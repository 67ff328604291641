import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { TlsHandshake, TlsRequest } from '../../model/tls.ts';
import { hangUp, startTls } from '../http/connect.ts';
import { chainOf, issuersOf } from './certificate.ts';
import { revocationOf } from './revocation.ts';
import { readStaple } from './staple.ts';
import { earlyDataOf } from './ticket.ts';
import type { Trust } from './trust.ts';
import { judgeChain } from './verify.ts';

type ShownHandshake = Omit<TlsHandshake, 'remoteAddress'>;

/** Whom a handshake trusts. */
type TrustSettings = Pick<Trust, 'authorities' | 'isOwn'> & { context: SecureContext };

/** A whole handshake on an open connection, which it ends. @throws ProbeError, or the signal's reason */
export async function shake(
  request: TlsRequest,
  socket: Duplex,
  trusting: TrustSettings,
  signal: AbortSignal,
): Promise<ShownHandshake> {
  let response: Buffer | undefined;
  const secure = await startTls(
    socket,
    request.host,
    signal,
    {
      secureContext: trusting.context,
      ALPNProtocols: ['h2', 'http/1.1'],
      ...(request.serverName === undefined ? {} : { servername: request.serverName }),
    },
    request.asksForStaple
      ? (stapled) => {
          response = stapled;
        }
      : undefined,
  );
  const leaf = secure.getPeerX509Certificate();
  const authorizationError = codeOf(secure.authorizationError);
  const seen = {
    protocol: secure.getProtocol() ?? '',
    cipher: secure.getCipher().standardName,
    alpn: secure.alpnProtocol || '',
    chain: chainOf(leaf),
    ...judgeChain(issuersOf(leaf), trusting.authorities(), authorizationError),
    authorizationError,
    revocation: revocationOf(leaf?.raw),
    ...(request.asksForStaple ? { isStapled: response !== undefined } : {}),
    ...(response && leaf ? { staple: readStaple(response, leaf.serialNumber) } : {}),
    isPubliclyTrusted: leaf !== undefined && authorizationError === '' && !trusting.isOwn(leaf),
    ...(request.waitsForTicket ? { maxEarlyDataBytes: await earlyDataOf(secure) } : {}),
  };
  await hangUp(secure);
  return seen;
}

/** Node gives OpenSSL's code here as text, or an Error that has it. */
function codeOf(reason: unknown): string {
  if (reason instanceof Error) return 'code' in reason ? String(reason.code) : reason.message;
  return reason ? String(reason) : '';
}
