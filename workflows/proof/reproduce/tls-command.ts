import type { TlsRequest } from '../../model/tls.ts';
import { shellWord } from '../shell.ts';

type Handshake = Omit<TlsRequest, 'timeoutMs'>;

/**
 * A handshake by OpenSSL, which prints the certificates with their dates and keys, what it thinks of them, and the version.
 * @param protocol that of the handshake of the proof; what OpenSSL leaves out by default is offered for older ones than TLS 1.3
 */
export function tlsCommand(
  { host, port, serverName = host, minVersion, maxVersion, asksForStaple }: Handshake,
  protocol = 'TLSv1.3',
): string {
  const isOld = protocol < 'TLSv1.3';
  const from = minVersion ?? (isOld && protocol < 'TLSv1.2' && !maxVersion ? 'TLSv1' : undefined);
  const bare = host.replace(/^\[|\]$/g, '');
  const address = bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`;
  const isName = serverName !== '' && !/^[\d.]+$|:/.test(serverName);
  return [
    'openssl s_client',
    `-connect ${shellWord(address)}`,
    isName ? `-servername ${shellWord(serverName)} -verify_hostname ${shellWord(serverName)}` : '-noservername',
    ...(from ? [`-min_protocol ${from}`] : []),
    ...(maxVersion ? [`-max_protocol ${maxVersion}`] : []),
    // Distributions switch older versions and short keys off above level 0 of OpenSSL.
    ...(isOld ? ['-cipher ALL:COMPLEMENTOFALL:@SECLEVEL=0 -legacy_server_connect'] : []),
    ...(maxVersion && !isOld ? ['-cipher DEFAULT@SECLEVEL=0'] : []),
    ...(asksForStaple ? ['-status'] : []),
    '</dev/null',
  ].join(' ');
}
