/** What OpenSSL and Node.js say, by their codes, and what it means to whoever set the connection up. */
const meanings: [codes: RegExp, meaning: string][] = [
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_SIGNATURE_FAILURE|INVALID_CA)$/,
    'its certificate comes from an authority that is not trusted here',
  ],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'its certificate is not valid yet'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another name'],
  [/CERTIFICATE_REQUIRED$/, 'it wants a client certificate, and none was shown'],
  [
    /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_EXPIRED|CERTIFICATE_UNKNOWN|CERTIFICATE_REVOKED|UNSUPPORTED_CERTIFICATE|DECRYPT_ERROR)$/,
    'it does not accept the client certificate',
  ],
  [/^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/, 'it does not speak TLS: is it plain text?'],
  [/PROTOCOL_VERSION$|UNSUPPORTED_PROTOCOL$/, 'it speaks no TLS version of those allowed here (1.2 and later)'],
];

/**
 * Why a TLS connection was not made, as the end of a sentence about the other side.
 * @returns undefined when TLS is not the reason
 */
export function tlsFault(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    const known = meanings.find(([codes]) => codes.test(code));
    if (known) return `${known[1]} (${code})`;
  }
  return undefined;
}
