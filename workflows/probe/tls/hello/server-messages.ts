import type { HelloAnswer } from '../../../model/tls-hello.ts';
import { type Cursor, cursorOver } from './cursor.ts';
import { compressionCodes, groupCodes, signatureCodes, versionCodes } from './registry.ts';
import { suiteName } from './suites.ts';

/** No real chain is as long. */
const maxCertificates = 16;

/** Random of a ServerHello that is a HelloRetryRequest: SHA-256 of that word (RFC 8446 §4.1.3). */
const retryRandom = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');

type ServerHello = Pick<HelloAnswer, 'version' | 'suite' | 'compression' | 'group' | 'isRenegotiationSecure' | 'alpn'>;

/** A ServerHello or HelloRetryRequest (RFC 8446 §4.1.3, RFC 5246 §7.4.1.3). @throws ProbeError */
export function readServerHello(body: Buffer): ServerHello {
  const fields = cursorOver(body);
  const legacyVersion = fields.uint16();
  const isRetry = fields.take(32).equals(retryRandom);
  fields.vector(1);
  const suite = suiteName(fields.uint16());
  const compression = compressionCodes.name(fields.uint8());
  const extensions = readExtensions(fields);
  const at = (type: number): Cursor | undefined => {
    const extension = extensions.get(type);
    return extension && cursorOver(extension);
  };
  const keyShare = at(51);
  const protocols = at(16)?.vector(2);
  return {
    version: versionCodes.name(at(43)?.uint16() ?? legacyVersion),
    suite,
    compression,
    // In a HelloRetryRequest the group stands alone, else before a key.
    group: keyShare && (isRetry || keyShare.left() > 2) ? groupCodes.name(keyShare.uint16()) : '',
    isRenegotiationSecure: extensions.has(0xff01),
    alpn: protocols ? cursorOver(protocols).vector(1).toString('latin1') : '',
  };
}

function readExtensions(fields: Cursor): Map<number, Buffer> {
  const extensions = new Map<number, Buffer>();
  if (fields.left() === 0) return extensions;
  const list = cursorOver(fields.vector(2));
  while (list.left() > 0) extensions.set(list.uint16(), list.vector(2));
  return extensions;
}

/** The certificates of a Certificate message, DER (RFC 5246 §7.4.2). @throws ProbeError */
export function readCertificates(body: Buffer): Buffer[] {
  const list = cursorOver(cursorOver(body).vector(3));
  const certificates: Buffer[] = [];
  while (list.left() > 0 && certificates.length < maxCertificates) certificates.push(list.vector(3));
  return certificates;
}

type KeyExchange = Partial<Pick<HelloAnswer, 'group' | 'dhBits' | 'exportBits' | 'signature'>>;

/** A ServerKeyExchange (RFC 5246 §7.4.3, RFC 8422 §5.4, RFC 2246 §7.4.3 for EXPORT). @throws ProbeError */
export function readKeyExchange(body: Buffer, { suite, version }: Pick<HelloAnswer, 'suite' | 'version'>): KeyExchange {
  const fields = cursorOver(body);
  const parameters = parametersOf(fields, suite);
  const isSigned = version === 'TLSv1.2' && !suite.includes('_anon_') && fields.left() > 0;
  return { ...parameters, ...(isSigned ? { signature: signatureCodes.name(fields.uint16()) } : {}) };
}

function parametersOf(fields: Cursor, suite: string): KeyExchange {
  if (/^TLS_ECDH/.test(suite)) {
    const isNamed = fields.uint8() === 3;
    // Curves that are given by their parameters: nobody has those, and they have no name.
    if (!isNamed) return {};
    const group = groupCodes.name(fields.uint16());
    fields.vector(1);
    return { group };
  }
  if (/^TLS_DHE?_/.test(suite)) {
    const dhBits = bitsOf(fields.vector(2));
    fields.vector(2);
    fields.vector(2);
    return { dhBits };
  }
  if (!suite.startsWith('TLS_RSA_EXPORT')) return {};
  const exportBits = bitsOf(fields.vector(2));
  fields.vector(2);
  return { exportBits };
}

/** Length of a number, without the zeros before it. */
function bitsOf(number: Buffer): number {
  const first = number.findIndex((byte) => byte !== 0);
  const leading = number[first];
  return leading === undefined ? 0 : (number.length - first) * 8 - (Math.clz32(leading) - 24);
}
