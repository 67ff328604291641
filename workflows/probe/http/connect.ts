import { constants } from 'node:crypto';
import {
  isIP,
  isIPv6,
  type LookupFunction,
  connect as netConnect,
  type Socket,
  type TcpNetConnectOpts,
} from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type ConnectionOptions,
  createSecureContext,
  type SecureContextOptions,
  type TLSSocket,
  connect as tlsConnect,
} from 'node:tls';
import { ProbeError } from '../../model/probe-error.ts';
import { canonicalHost } from '../guard/address.ts';
import type { Guard } from '../guard/guard.ts';

type SocketTarget = { host: string; port: number };

/**
 * The one place that opens connections to targets: to addresses that passed the guard, and to no others.
 * Several addresses are tried as RFC 8305 says.
 * @throws ProbeError `forbidden_address`, `dns_failed`, `unreachable`, or the signal's reason
 */
export async function openSocket(guard: Guard, target: SocketTarget, signal: AbortSignal): Promise<Socket> {
  const addresses = await guard.addresses(target.host, signal);
  const pinned: LookupFunction = (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
    );
  const host = canonicalHost(target.host);
  const how = { host, port: target.port, lookup: pinned, autoSelectFamily: true, noDelay: true, signal };
  try {
    return await connectWithin(quickMs, how).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!wasCutShort(error)) throw error;
      return connectWithin(patientMs, how);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new ProbeError('unreachable', `${host}:${target.port} does not take connections`, { cause: error });
  }
}

/** An address that is slower than this may be dead: the next one is tried. Source: RFC 8305 §5. */
const quickMs = 250;
/** Node gives the ones before up. When no other answers, they get the time in which a packet that was lost comes again. */
const patientMs = 3_500;

async function connectWithin(
  autoSelectFamilyAttemptTimeout: number,
  options: TcpNetConnectOpts & { signal: AbortSignal },
): Promise<Socket> {
  options.signal.throwIfAborted();
  const socket = netConnect({ ...options, autoSelectFamilyAttemptTimeout });
  try {
    await settled(socket, 'connect', options.signal);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Some address had no time to answer. */
const wasCutShort = (error: unknown): boolean =>
  error instanceof AggregateError && error.errors.some(({ code }) => code === 'ETIMEDOUT');

/** Old protocol versions and ciphers included: what a target offers is a result, not an obstacle. */
const anyTls: SecureContextOptions = {
  minVersion: 'TLSv1',
  ciphers: 'ALL:COMPLEMENTOFALL:@SECLEVEL=0',
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
};

/** To read the ciphers anew for each connection takes about as long as its handshake. */
const sharedContext = createSecureContext(anyTls);

/**
 * Speaks TLS on an open socket. A bad certificate does not stop it; see `authorizationError`.
 * @param onStaple takes a response of OCSP that comes along, which is asked for then
 * @throws ProbeError `tls_failed`, or the signal's reason
 */
export async function startTls(
  socket: Duplex,
  host: string,
  signal: AbortSignal,
  options: ConnectionOptions = {},
  onStaple?: (response: Buffer) => void,
): Promise<TLSSocket> {
  const name = canonicalHost(host);
  const asked = { ...options, requestOCSP: onStaple !== undefined };
  const secure = tlsConnect({
    secureContext: sharedContext,
    rejectUnauthorized: false,
    socket,
    host: name,
    servername: isIP(name) ? '' : name,
    ...asked,
  });
  // Where none comes, Node says so with null.
  secure.once('OCSPResponse', (response: Buffer | null) => response && onStaple?.(response));
  try {
    await settled(secure, 'secureConnect', signal);
  } catch (error) {
    secure.destroy();
    socket.destroy();
    throw signal.aborted
      ? signal.reason
      : new ProbeError('tls_failed', `no TLS with ${name}: ${reasonOf(error)}`, { cause: error });
  }
  return secure;
}

/** The other side's time to close too, before we stop waiting for it. */
export const hangUpMs = 250;

/**
 * Ends a connection as servers expect it: says goodbye and waits for theirs, so that nothing is reset in their logs and
 * the connection has ended on both sides. Never fails.
 * @param socket the outermost one
 */
export function hangUp(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    const timer = setTimeout(() => socket.destroy(), hangUpMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.resume().end();
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'the connection was closed';
}

/** Waits for one event of a socket; errors, its end and the signal fail it. */
function settled(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const close = () => reject(new Error('the connection was closed'));
    const done = (settle: () => void) => () => {
      signal.removeEventListener('abort', abort);
      socket.off('close', close);
      settle();
    };
    socket.once(event, done(resolve));
    socket.on('error', (error) => done(() => reject(error))());
    socket.once('close', close);
    signal.addEventListener('abort', abort, { once: true });
  });
}
