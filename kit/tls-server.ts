import type { Http2SecureServer } from 'node:http2';
import type { Server } from 'node:https';
import type { Credentials } from './certificates.ts';
import type { Logger } from './logger.ts';

/** RFC 8996: earlier versions are deprecated. */
export const minVersion = 'TLSv1.2';

/**
 * Gives each new connection the certificates of the moment, and says in the log why one could not be made.
 * Connections that stand keep theirs.
 * @param level of those lines: "debug" where strangers connect, who could write any number of them
 */
export function followServer(
  server: Http2SecureServer | Server,
  credentials: () => Credentials,
  log: Logger,
  level: 'warn' | 'debug',
): void {
  let used = credentials();
  // Before the server's own listener, which begins the handshake.
  server.prependListener('connection', () => {
    const now = credentials();
    if (now === used) return;
    used = now;
    try {
      server.setSecureContext({ ...now, minVersion });
    } catch (err) {
      // A pair that fits and that OpenSSL will not have, a key too small for instance: the last one goes on.
      log.error({ err }, 'certificates cannot be used: the last good ones stay');
    }
  });
  server.on('tlsClientError', (error, socket) => {
    const reason = String(socket.authorizationError ?? ('code' in error ? error.code : error.message));
    const { remoteAddress } = socket;
    log[level]({ reason, remoteAddress, hint: hints[reason] ?? rejected(socket) }, 'no TLS with a client');
  });
}

const rejected = ({ authorizationError }: { authorizationError?: unknown }) =>
  authorizationError ? 'its certificate is not accepted' : undefined;

const hints: Record<string, string> = {
  ERR_SSL_HTTP_REQUEST: 'it spoke plain HTTP: use https://',
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: 'it showed no client certificate',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'it offered no TLS version from 1.2 on',
};
