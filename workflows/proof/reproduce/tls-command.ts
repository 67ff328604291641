import type { TlsRequest } from '../../probe/types.ts';
import { shellWord } from '../shell.ts';

type Handshake = Omit<TlsRequest, 'timeoutMs'>;

/** A handshake by OpenSSL, which prints the certificates with their dates and keys, what it thinks of them, and the version. */
export function tlsCommand({ host, port, serverName = host, minVersion, maxVersion }: Handshake): string {
  const bare = host.replace(/^\[|\]$/g, '');
  const address = bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`;
  const isName = serverName !== '' && !/^[\d.]+$|:/.test(serverName);
  return [
    'openssl s_client',
    `-connect ${shellWord(address)}`,
    isName ? `-servername ${shellWord(serverName)} -verify_hostname ${shellWord(serverName)}` : '-noservername',
    ...(minVersion ? [`-min_protocol ${minVersion}`] : []),
    // Distributions switch older versions off above level 0 of OpenSSL.
    ...(maxVersion ? [`-max_protocol ${maxVersion} -cipher DEFAULT@SECLEVEL=0`] : []),
    '</dev/null',
  ].join(' ');
}
