import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { type HelloOffer, helloVersions } from '../../../model/tls-hello.ts';
import { uint16, vector } from './cursor.ts';
import { compressionCodes, groupCodes, signatureCodes, versionCodes } from './registry.ts';
import { suiteCode } from './suites.ts';

/** A client without extensions says by this suite that it knows of RFC 5746. */
const renegotiationScsv = 0x00ff;
const defaultAlpn = ['h2', 'http/1.1'];

/**
 * The record of a ClientHello with this offer, with a random and a session id of its own. SSLv3 alone is offered without
 * extensions, which it does not know. Source: RFC 8446 §4.1.2, RFC 5246 §7.4.1.2, RFC 6101 §5.6.1.2.
 * @param serverName "" for none
 * @throws TypeError for a name that no registry has
 */
export function clientHello(offer: HelloOffer, serverName: string): Buffer {
  const newest = newestOf(offer);
  const isSsl3 = newest === 'SSLv3';
  const suites = [...offer.suites.map(suiteCode), ...(isSsl3 ? [renegotiationScsv] : [])];
  const head = Buffer.concat([
    uint16(Math.min(versionCodes.code(newest), versionCodes.code('TLSv1.2'))),
    randomBytes(32),
    vector(1, randomBytes(32)),
    vector(2, ...suites.map(uint16)),
    vector(1, Buffer.from((offer.compressions ?? ['null']).map(compressionCodes.code))),
  ]);
  const extensions = isSsl3 ? [] : extensionsOf(offer, serverName);
  const body = isSsl3 ? head : Buffer.concat([head, vector(2, ...padded(extensions, head.length))]);
  const message = Buffer.concat([Buffer.from([1]), vector(3, body)]);
  return Buffer.concat([Buffer.from([22]), uint16(versionCodes.code(isSsl3 ? 'SSLv3' : 'TLSv1')), vector(2, message)]);
}

const newestOf = ({ versions }: HelloOffer) =>
  helloVersions.findLast((version) => versions.includes(version)) ?? 'TLSv1.2';

const extension = (type: number, ...body: readonly Uint8Array[]): Buffer =>
  Buffer.concat([uint16(type), vector(2, ...body)]);

function extensionsOf(offer: HelloOffer, serverName: string): Buffer[] {
  const { versions, alpn = defaultAlpn, groups = groupsFor(offer), signatures = signatureCodes.names } = offer;
  const isNamed = serverName !== '' && !isIP(serverName.replace(/^\[|\]$/g, ''));
  const byCode = (registry: { code(name: string): number }, names: readonly string[]) =>
    vector(2, ...names.map((name) => uint16(registry.code(name))));
  return [
    ...(isNamed ? [extension(0, vector(2, Buffer.from([0]), vector(2, Buffer.from(serverName))))] : []),
    extension(5, Buffer.from([1, 0, 0, 0, 0])),
    ...(groups.length > 0 ? [extension(10, byCode(groupCodes, groups)), extension(11, Buffer.from([1, 0]))] : []),
    ...(newestOf(offer) >= 'TLSv1.2' ? [extension(13, byCode(signatureCodes, signatures))] : []),
    ...(alpn.length > 0 ? [extension(16, vector(2, ...alpn.map((name) => vector(1, Buffer.from(name)))))] : []),
    extension(23),
    extension(35),
    ...(versions.includes('TLSv1.3') ? tls13(offer) : []),
    extension(0xff01, Buffer.from([0])),
  ];
}

const groupsFor = ({ versions }: HelloOffer): string[] =>
  versions.includes('TLSv1.3') ? groupCodes.names : groupCodes.names.filter((name) => !name.startsWith('ffdhe'));

/** supported_versions, psk_key_exchange_modes (without which there are no tickets) and key_share (RFC 8446 §4.2). */
function tls13({ versions, keyShares = [] }: HelloOffer): Buffer[] {
  const newestFirst = helloVersions.toReversed().filter((version) => versions.includes(version));
  return [
    extension(43, vector(1, ...newestFirst.map((version) => uint16(versionCodes.code(version))))),
    extension(45, Buffer.from([1, 1])),
    extension(
      51,
      vector(
        2,
        ...keyShares.map((group) => Buffer.concat([uint16(groupCodes.code(group)), vector(2, publicKey(group))])),
      ),
    ),
  ];
}

/** @throws TypeError for a group that no key can be made for */
function publicKey(group: string): Buffer {
  if (group === 'x25519') return pointOf(generateKeyPairSync('x25519').publicKey, 32);
  if (group === 'secp256r1') return pointOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey, 65);
  throw new TypeError(`No key share can be made for "${group}".`);
}

/** The point stands at the end of the key's DER (RFC 5480, RFC 8410). */
const pointOf = (key: KeyObject, bytes: number): Buffer => key.export({ type: 'spki', format: 'der' }).subarray(-bytes);

/** Some load balancers hang on messages of 256 to 511 bytes, which padding makes longer. Source: RFC 7685 §3. */
function padded(extensions: Buffer[], headBytes: number): Buffer[] {
  const bytes = 4 + headBytes + 2 + extensions.reduce((sum, { length }) => sum + length, 0);
  if (bytes < 256 || bytes > 511) return extensions;
  return [...extensions, extension(21, Buffer.alloc(Math.max(1, 512 - bytes - 4)))];
}
