import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';

const maxKeys = 20;

/**
 * What private keys a file holds, one for each: "rsa", "ec", "ed25519", … that can be used as they are; "encrypted", for which a passphrase is
 * needed; "putty …", "openssh …", "pgp", "pkcs12", "java key store".
 * @returns undefined when there is none
 */
export function privateKeys(body: Uint8Array): string[] | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const kinds = [...storeKinds(bytes), ...puttyKinds(bytes.toString('latin1', 0, 4_096)), ...armoured(bytes)];
  return kinds.length > 0 ? kinds.slice(0, maxKeys) : undefined;
}

/** A file of keys that says so in its first bytes: RFC 7292 §4 (a sequence, version 3, an object identifier of PKCS #7), JKS, JCEKS. */
function storeKinds(bytes: Buffer): string[] {
  const start = bytes.toString('hex', 0, 24);
  if (/^(?:feedfeed|cececece)0000000[12]/.test(start)) return ['java key store'];
  return /^30(?:8[0-4])(?:[0-9a-f]{2}){0,4}?020103308/.test(start) && start.includes('06092a864886f70d0107')
    ? ['pkcs12']
    : [];
}

/** Source: PuTTY manual, appendix C. */
function puttyKinds(text: string): string[] {
  const [, type, encryption] =
    /^PuTTY-User-Key-File-[23]: ([\w@.-]{3,40})\r?\nEncryption: ([\w-]{3,20})\r?\n/.exec(text) ?? [];
  if (type === undefined || !/^Private-Lines: \d+/m.test(text)) return [];
  return [encryption === 'none' ? `putty ${type}` : 'encrypted'];
}

/** SHA-256 of the public parts (SubjectPublicKeyInfo) of the keys in PEM that can be used as they are, in hexadecimal. */
export function publicKeyDigests(body: Uint8Array): string[] | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const digests = blocksIn(bytes)
    .slice(0, maxKeys)
    .flatMap(([whole]) => digestOf(whole));
  return digests.length > 0 ? digests : undefined;
}

function digestOf(pem: string): string[] {
  try {
    const spki = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' });
    return [createHash('sha256').update(spki).digest('hex')];
  } catch {
    return [];
  }
}

function blocksIn(bytes: Buffer): RegExpExecArray[] {
  const text = bytes.toString('latin1', 0, 256 * 1024);
  return [
    ...text.matchAll(/-----BEGIN ((?:[A-Z]{2,9} ){0,2}PRIVATE KEY(?: BLOCK)?)-----([^-]{60,20000})-----END \1-----/g),
  ];
}

function armoured(bytes: Buffer): string[] {
  return blocksIn(bytes).flatMap(([whole, label = '', inside = '']) => kindOf(whole, label, inside));
}

function kindOf(whole: string, label: string, inside: string): string[] {
  if (label === 'ENCRYPTED PRIVATE KEY') return inside.replace(/\s/g, '').startsWith('MI') ? ['encrypted'] : [];
  if (/^Proc-Type: 4,ENCRYPTED/m.test(inside)) return ['encrypted'];
  const data = Buffer.from(inside.replace(/^[\w-]+: .*$/gm, '').replace(/\s/g, ''), 'base64');
  if (label === 'OPENSSH PRIVATE KEY') return opensshKind(data);
  // RFC 9580 §4.2: a secret-key packet comes first.
  if (label === 'PGP PRIVATE KEY BLOCK') return [0x94, 0x95, 0xc5].includes(data[0] ?? 0) ? ['pgp'] : [];
  try {
    return [createPrivateKey(whole).asymmetricKeyType ?? 'unknown'];
  } catch {
    return [];
  }
}

/** Source: OpenSSH, PROTOCOL.key: a magic word, then names of the cipher and the key derivation, each with its length. */
function opensshKind(data: Buffer): string[] {
  const magic = 'openssh-key-v1\0';
  if (data.toString('latin1', 0, magic.length) !== magic) return [];
  const length = data.length > magic.length + 4 ? data.readUInt32BE(magic.length) : 0;
  const cipher = data.toString('latin1', magic.length + 4, magic.length + 4 + length);
  const [type = 'key'] = /ssh-[a-z0-9]{3,10}|ecdsa-sha2-\w{6,10}/.exec(data.toString('latin1', 0, 400)) ?? [];
  return [cipher === 'none' ? `openssh ${type}` : 'encrypted'];
}
