import type { HelloVersion } from '../../../model/tls-hello.ts';

/**
 * Cipher suites by the code points of IANA's registry "TLS Cipher Suites", without those that need a key that both sides
 * know already (PSK, SRP, Kerberos). Each block is a run of code points: every key exchange with every cipher, in this order.
 */
const blocks: [first: number, exchanges: string, ciphers: string][] = [
  [0x0001, 'RSA', 'NULL_MD5 NULL_SHA'],
  [0x0003, 'RSA_EXPORT', 'RC4_40_MD5'],
  [0x0004, 'RSA', 'RC4_128_MD5 RC4_128_SHA'],
  [0x0006, 'RSA_EXPORT', 'RC2_CBC_40_MD5'],
  [0x0007, 'RSA', 'IDEA_CBC_SHA'],
  [0x0008, 'RSA_EXPORT', 'DES40_CBC_SHA'],
  [0x0009, 'RSA', 'DES_CBC_SHA 3DES_EDE_CBC_SHA'],
  [0x000b, 'DH_DSS_EXPORT', 'DES40_CBC_SHA'],
  [0x000c, 'DH_DSS', 'DES_CBC_SHA 3DES_EDE_CBC_SHA'],
  [0x000e, 'DH_RSA_EXPORT', 'DES40_CBC_SHA'],
  [0x000f, 'DH_RSA', 'DES_CBC_SHA 3DES_EDE_CBC_SHA'],
  [0x0011, 'DHE_DSS_EXPORT', 'DES40_CBC_SHA'],
  [0x0012, 'DHE_DSS', 'DES_CBC_SHA 3DES_EDE_CBC_SHA'],
  [0x0014, 'DHE_RSA_EXPORT', 'DES40_CBC_SHA'],
  [0x0015, 'DHE_RSA', 'DES_CBC_SHA 3DES_EDE_CBC_SHA'],
  [0x0017, 'DH_anon_EXPORT', 'RC4_40_MD5'],
  [0x0018, 'DH_anon', 'RC4_128_MD5'],
  [0x0019, 'DH_anon_EXPORT', 'DES40_CBC_SHA'],
  [0x001a, 'DH_anon', 'DES_CBC_SHA 3DES_EDE_CBC_SHA'],
  [0x002f, 'RSA DH_DSS DH_RSA DHE_DSS DHE_RSA DH_anon', 'AES_128_CBC_SHA'],
  [0x0035, 'RSA DH_DSS DH_RSA DHE_DSS DHE_RSA DH_anon', 'AES_256_CBC_SHA'],
  [0x003b, 'RSA', 'NULL_SHA256 AES_128_CBC_SHA256 AES_256_CBC_SHA256'],
  [0x003e, 'DH_DSS DH_RSA DHE_DSS', 'AES_128_CBC_SHA256'],
  [0x0041, 'RSA DH_DSS DH_RSA DHE_DSS DHE_RSA DH_anon', 'CAMELLIA_128_CBC_SHA'],
  // Draft "56-bit Export Cipher Suites for TLS", which Windows and old OpenSSL have.
  [0x0062, 'RSA_EXPORT1024', 'DES_CBC_SHA'],
  [0x0063, 'DHE_DSS_EXPORT1024', 'DES_CBC_SHA'],
  [0x0064, 'RSA_EXPORT1024', 'RC4_56_SHA'],
  [0x0065, 'DHE_DSS_EXPORT1024', 'RC4_56_SHA'],
  [0x0066, 'DHE_DSS', 'RC4_128_SHA'],
  [0x0067, 'DHE_RSA', 'AES_128_CBC_SHA256'],
  [0x0068, 'DH_DSS DH_RSA DHE_DSS DHE_RSA', 'AES_256_CBC_SHA256'],
  [0x006c, 'DH_anon', 'AES_128_CBC_SHA256 AES_256_CBC_SHA256'],
  [0x0084, 'RSA DH_DSS DH_RSA DHE_DSS DHE_RSA DH_anon', 'CAMELLIA_256_CBC_SHA'],
  [0x0096, 'RSA DH_DSS DH_RSA DHE_DSS DHE_RSA DH_anon', 'SEED_CBC_SHA'],
  [0x009c, 'RSA DHE_RSA DH_RSA DHE_DSS DH_DSS DH_anon', 'AES_128_GCM_SHA256 AES_256_GCM_SHA384'],
  [0x00ba, 'RSA DH_DSS DH_RSA DHE_DSS DHE_RSA DH_anon', 'CAMELLIA_128_CBC_SHA256'],
  [0x00c0, 'RSA DH_DSS DH_RSA DHE_DSS DHE_RSA DH_anon', 'CAMELLIA_256_CBC_SHA256'],
  [
    0x1301,
    '',
    'AES_128_GCM_SHA256 AES_256_GCM_SHA384 CHACHA20_POLY1305_SHA256 AES_128_CCM_SHA256 AES_128_CCM_8_SHA256',
  ],
  [
    0xc001,
    'ECDH_ECDSA ECDHE_ECDSA ECDH_RSA ECDHE_RSA ECDH_anon',
    'NULL_SHA RC4_128_SHA 3DES_EDE_CBC_SHA AES_128_CBC_SHA AES_256_CBC_SHA',
  ],
  [0xc023, 'ECDHE_ECDSA ECDH_ECDSA ECDHE_RSA ECDH_RSA', 'AES_128_CBC_SHA256 AES_256_CBC_SHA384'],
  [0xc02b, 'ECDHE_ECDSA ECDH_ECDSA ECDHE_RSA ECDH_RSA', 'AES_128_GCM_SHA256 AES_256_GCM_SHA384'],
  [
    0xc03c,
    'RSA DH_DSS DH_RSA DHE_DSS DHE_RSA DH_anon ECDHE_ECDSA ECDH_ECDSA ECDHE_RSA ECDH_RSA',
    'ARIA_128_CBC_SHA256 ARIA_256_CBC_SHA384',
  ],
  [
    0xc050,
    'RSA DHE_RSA DH_RSA DHE_DSS DH_DSS DH_anon ECDHE_ECDSA ECDH_ECDSA ECDHE_RSA ECDH_RSA',
    'ARIA_128_GCM_SHA256 ARIA_256_GCM_SHA384',
  ],
  [0xc072, 'ECDHE_ECDSA ECDH_ECDSA ECDHE_RSA ECDH_RSA', 'CAMELLIA_128_CBC_SHA256 CAMELLIA_256_CBC_SHA384'],
  [
    0xc07a,
    'RSA DHE_RSA DH_RSA DHE_DSS DH_DSS DH_anon ECDHE_ECDSA ECDH_ECDSA ECDHE_RSA ECDH_RSA',
    'CAMELLIA_128_GCM_SHA256 CAMELLIA_256_GCM_SHA384',
  ],
  [0xc09c, 'RSA DHE_RSA', 'AES_128_CCM AES_256_CCM'],
  [0xc0a0, 'RSA DHE_RSA', 'AES_128_CCM_8 AES_256_CCM_8'],
  [0xc0ac, 'ECDHE_ECDSA', 'AES_128_CCM AES_256_CCM AES_128_CCM_8 AES_256_CCM_8'],
  [0xcca8, 'ECDHE_RSA ECDHE_ECDSA DHE_RSA', 'CHACHA20_POLY1305_SHA256'],
];

const codes = new Map<string, number>(
  blocks.flatMap(([first, exchanges, ciphers]) =>
    exchanges
      .split(' ')
      .flatMap((exchange) =>
        ciphers.split(' ').map((cipher) => (exchange === '' ? `TLS_${cipher}` : `TLS_${exchange}_WITH_${cipher}`)),
      )
      .map((name, index): [string, number] => [name, first + index]),
  ),
);
const names = new Map([...codes].map(([name, code]) => [code, name]));

/** @throws TypeError for a name that is not in the table: a mistake of ours */
export function suiteCode(name: string): number {
  const code = codes.get(name);
  if (code === undefined) throw new TypeError(`There is no cipher suite "${name}".`);
  return code;
}

/** A suite that is not in the table is named by its code point, as in "0x5600". */
export const suiteName = (code: number): string => names.get(code) ?? `0x${code.toString(16).padStart(4, '0')}`;

/** Suites that a version knows, the soundest first. Source: RFC 5246 §1.2 (SHA-256 and AEAD need TLS 1.2), RFC 8446 §B.4. */
export function suitesOf(version: HelloVersion): string[] {
  const isOurs = (name: string) => {
    if (!name.includes('_WITH_')) return version === 'TLSv1.3';
    return version === 'TLSv1.2' || (version !== 'TLSv1.3' && /_(?:SHA|MD5)$/.test(name));
  };
  return [...codes.keys()].filter(isOurs).toSorted((a, b) => rank(a) - rank(b));
}

const ranked = [
  /^TLS_(?!.*_WITH_)|^TLS_ECDHE_.*(?:AES_\d+_GCM|CHACHA20)/,
  /^TLS_ECDHE_.*AES/,
  /^TLS_(?:DHE|RSA)_.*AES/,
  /_(?:3DES_EDE_CBC|RC4_128)_/,
];

function rank(name: string): number {
  const at = isUnprotected(name) ? -1 : ranked.findIndex((pattern) => pattern.test(name));
  return at === -1 ? ranked.length : at;
}

/** Neither a long-term key nor traffic of the past is at stake when the server's key is lost (RFC 9325 §4.1, item 5). */
export const hasForwardSecrecy = (name: string): boolean => !name.includes('_WITH_') || /^TLS_(?:EC)?DHE_/.test(name);

/** No encryption, no authentication, or a key that was made short by law (RFC 9325 §4.1). */
export const isUnprotected = (name: string): boolean =>
  /_WITH_NULL_|_anon_|_EXPORT|_(?:DES|DES40|RC2|RC4_40|RC4_56)_(?:CBC|MD5|SHA)/.test(name);

export const usesRc4 = (name: string): boolean => name.includes('_RC4_') && !isUnprotected(name);

/** Blocks of 64 bits. */
export const hasSmallBlocks = (name: string): boolean => /_(?:3DES_EDE|IDEA)_CBC_/.test(name) && !isUnprotected(name);
