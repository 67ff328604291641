import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A 256-bit key under a name. */
export type EncryptionKey = { id: string; key: Uint8Array };

/** Encrypts secrets at rest with AES-256-GCM (NIST SP 800-38D). */
export type Cipher = {
  /**
   * @param context what the secret belongs to, for instance a login's org, domain and name; authenticated with it,
   *   so that a stored secret cannot be moved to another place
   */
  encrypt(plain: string, context: string): string;
  /** @throws Error when the key is gone, the text was changed or the context is another */
  decrypt(sealed: string, context: string): string;
  /** Id of the key that encrypts. */
  currentId: string;
};

/** Id of the key that a sealed text was encrypted with. */
export const keyIdOf = (sealed: string): string => sealed.slice(0, sealed.indexOf('.'));

// NIST SP 800-38D §8.2.2: random nonces of 96 bits.
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts with the first key and decrypts with any of them, so keys are rotated by putting a new one in front
 * (core/housekeeping/rotate-encryption.ts brings what is stored under it).
 * Sealed text: "keyId.base64url(nonce ‖ ciphertext ‖ tag)".
 */
export function createCipher(keys: readonly EncryptionKey[]): Cipher {
  const [current] = keys;
  if (current === undefined) throw new Error('there is no encryption key');
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  return {
    currentId: current.id,
    encrypt(plain, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${current.id}.${sealed.toString('base64url')}`;
    },
    decrypt(sealed, context) {
      const id = keyIdOf(sealed);
      const key = byId.get(id);
      if (key === undefined) throw new Error(`there is no encryption key "${id}"`);
      const bytes = Buffer.from(sealed.slice(id.length + 1), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8');
    },
  };
}
