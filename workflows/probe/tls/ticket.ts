import type { TLSSocket } from 'node:tls';

/** Servers send their tickets with the end of the handshake, or not at all (RFC 8446 §4.6.1). */
const waitMs = 750;

/** Fields of OpenSSL's SSL_SESSION, context-specific and constructed: 10 is the ticket, 15 max_early_data_size (ssl/ssl_asn1.c). */
const ticketTag = 0xaa;
const earlyDataTag = 0xaf;

/**
 * Waits for a session ticket of a TLS 1.3 handshake, if none has come yet.
 * @returns most bytes of early data that it allows; 0 when it allows none, or none comes
 */
export async function earlyDataOf(secure: TLSSocket): Promise<number> {
  if (secure.getProtocol() !== 'TLSv1.3') return 0;
  const known = secure.getSession();
  if (known && sessionField(known, ticketTag)) return maxEarlyDataIn(known);
  return new Promise((resolve) => {
    const end = (bytes: number) => {
      clearTimeout(timer);
      secure.off('session', take).off('close', none).off('error', none);
      resolve(bytes);
    };
    const take = (session: Buffer) => end(maxEarlyDataIn(session));
    const none = () => end(0);
    const timer = setTimeout(none, waitMs);
    secure.on('session', take).once('close', none).once('error', none);
    secure.resume();
  });
}

/** max_early_data_size of a serialised session; 0 without it. */
const maxEarlyDataIn = (session: Buffer): number =>
  sessionField(session, earlyDataTag)?.reduce((sum, byte) => sum * 256 + byte, 0) ?? 0;

/** What a field of a serialised session holds (DER, X.690 §8.1); undefined when it is not there. */
function sessionField(session: Buffer, tag: number): Buffer | undefined {
  const fields = wholeSequence(session);
  for (let at = fields?.start ?? 0; fields && at < fields.end; ) {
    const field = contentOf(session, at);
    if (!field) return undefined;
    const value = session[at] === tag ? contentOf(session, field.start) : undefined;
    if (value) return session.subarray(value.start, value.end);
    at = field.end;
  }
  return undefined;
}

const sequenceTag = 0x30;

/** The session itself: newer releases of Node put words of their own before it, to bind it to its host. */
function wholeSequence(session: Buffer): { start: number; end: number } | undefined {
  for (let at = session.indexOf(sequenceTag); at !== -1; at = session.indexOf(sequenceTag, at + 1)) {
    const content = contentOf(session, at);
    if (content?.end === session.length) return content;
  }
  return undefined;
}

/** Where the content of the element at `at` begins and ends; undefined when it is not there as a whole. */
function contentOf(der: Buffer, at: number): { start: number; end: number } | undefined {
  const first = der[at + 1];
  if (first === undefined) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4 || at + 2 + lengthBytes > der.length) return undefined;
  const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
  const start = at + 2 + lengthBytes;
  return start + length <= der.length ? { start, end: start + length } : undefined;
}
