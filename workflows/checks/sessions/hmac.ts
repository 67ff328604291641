import { hash } from 'node:crypto';

type HmacHash = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** Bytes of a block of the hash. Source: FIPS 180-4, RFC 1321. */
const blocks: Record<HmacHash, number> = { md5: 64, sha1: 64, sha256: 64, sha384: 128, sha512: 128 };

/**
 * What `createHmac` gives, for guesses: of every key of bytes Node makes a key object, which costs five times the digest, and a list
 * has sixty thousand keys. Source: RFC 2104.
 */
export function hmac(algorithm: HmacHash, key: string | Buffer, text: string): Buffer {
  const block = blocks[algorithm];
  const given = typeof key === 'string' ? Buffer.from(key) : key;
  const used = given.length > block ? hash(algorithm, given, 'buffer') : given;
  const padded = (pad: number) => {
    const bytes = Buffer.alloc(block, pad);
    used.forEach((byte, at) => {
      bytes[at] = byte ^ pad;
    });
    return bytes;
  };
  const inner = hash(algorithm, Buffer.concat([padded(0x36), Buffer.from(text)]), 'buffer');
  return hash(algorithm, Buffer.concat([padded(0x5c), inner]), 'buffer');
}
