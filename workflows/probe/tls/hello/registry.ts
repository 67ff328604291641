import type { HelloVersion } from '../../../model/tls-hello.ts';

/** A list of names with their numbers, both ways. */
type CodeRegistry = { code(name: string): number; name(code: number): string; names: string[] };

function registry(kind: string, entries: Record<string, number>): CodeRegistry {
  const byCode = new Map(Object.entries(entries).map(([name, code]) => [code, name]));
  return {
    code(name) {
      const code = Object.hasOwn(entries, name) ? entries[name] : undefined;
      if (code === undefined) throw new TypeError(`There is no ${kind} "${name}".`);
      return code;
    },
    name: (code) => byCode.get(code) ?? `0x${code.toString(16).padStart(4, '0')}`,
    names: Object.keys(entries),
  };
}

const versionNumbers: Record<HelloVersion, number> = {
  SSLv3: 0x0300,
  TLSv1: 0x0301,
  'TLSv1.1': 0x0302,
  'TLSv1.2': 0x0303,
  'TLSv1.3': 0x0304,
};
export const versionCodes = registry('protocol version', versionNumbers);

/** IANA "TLS Supported Groups", the usual ones first. */
export const groupCodes = registry('group', {
  X25519MLKEM768: 0x11ec,
  x25519: 29,
  secp256r1: 23,
  secp384r1: 24,
  secp521r1: 25,
  x448: 30,
  SecP256r1MLKEM768: 0x11eb,
  SecP384r1MLKEM1024: 0x11ed,
  ffdhe2048: 256,
  ffdhe3072: 257,
  ffdhe4096: 258,
  ffdhe6144: 259,
  ffdhe8192: 260,
  brainpoolP256r1tls13: 31,
  brainpoolP384r1tls13: 32,
  brainpoolP512r1tls13: 33,
  brainpoolP256r1: 26,
  brainpoolP384r1: 27,
  brainpoolP512r1: 28,
  curveSM2: 41,
  secp256k1: 22,
  secp224r1: 21,
  secp224k1: 20,
  secp192r1: 19,
  secp192k1: 18,
  secp160r2: 17,
  secp160r1: 16,
  secp160k1: 15,
  sect571r1: 14,
  sect571k1: 13,
  sect409r1: 12,
  sect409k1: 11,
  sect283r1: 10,
  sect283k1: 9,
  sect239k1: 8,
  sect233r1: 7,
  sect233k1: 6,
  sect193r2: 5,
  sect193r1: 4,
  sect163r2: 3,
  sect163r1: 2,
  sect163k1: 1,
});

/** IANA "TLS SignatureScheme"; those of TLS 1.2 with SHA-1, SHA-224 and MD5 by the same pattern. */
export const signatureCodes = registry('signature algorithm', {
  ecdsa_secp256r1_sha256: 0x0403,
  rsa_pss_rsae_sha256: 0x0804,
  rsa_pkcs1_sha256: 0x0401,
  ed25519: 0x0807,
  ecdsa_secp384r1_sha384: 0x0503,
  rsa_pss_rsae_sha384: 0x0805,
  rsa_pkcs1_sha384: 0x0501,
  ecdsa_secp521r1_sha512: 0x0603,
  rsa_pss_rsae_sha512: 0x0806,
  rsa_pkcs1_sha512: 0x0601,
  ed448: 0x0808,
  rsa_pss_pss_sha256: 0x0809,
  rsa_pss_pss_sha384: 0x080a,
  rsa_pss_pss_sha512: 0x080b,
  rsa_pkcs1_sha224: 0x0301,
  ecdsa_sha224: 0x0303,
  dsa_sha224: 0x0302,
  dsa_sha256: 0x0402,
  rsa_pkcs1_sha1: 0x0201,
  ecdsa_sha1: 0x0203,
  dsa_sha1: 0x0202,
  rsa_pkcs1_md5: 0x0101,
});

/** RFC 3749. */
export const compressionCodes = registry('compression method', { null: 0, deflate: 1 });

/** RFC 8446 §6, with the older ones of RFC 5246 and SSLv3. */
export const alertCodes = registry('alert', {
  close_notify: 0,
  unexpected_message: 10,
  bad_record_mac: 20,
  decryption_failed: 21,
  record_overflow: 22,
  decompression_failure: 30,
  handshake_failure: 40,
  no_certificate: 41,
  bad_certificate: 42,
  unsupported_certificate: 43,
  certificate_revoked: 44,
  certificate_expired: 45,
  certificate_unknown: 46,
  illegal_parameter: 47,
  unknown_ca: 48,
  access_denied: 49,
  decode_error: 50,
  decrypt_error: 51,
  export_restriction: 60,
  protocol_version: 70,
  insufficient_security: 71,
  internal_error: 80,
  inappropriate_fallback: 86,
  user_canceled: 90,
  no_renegotiation: 100,
  missing_extension: 109,
  unsupported_extension: 110,
  unrecognized_name: 112,
  bad_certificate_status_response: 113,
  certificate_required: 116,
  no_application_protocol: 120,
});
