import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** "salt:hash" by scrypt with Node's default cost (N = 16,384). */
export function hashPassword(password: string): string {
  const salt = randomBytes(16);
  return `${salt.toString('base64')}:${scryptSync(password, salt, 32).toString('base64')}`;
}

export function isPassword(stored: string, password: string): boolean {
  const [salt = '', hash = ''] = stored.split(':');
  return timingSafeEqual(scryptSync(password, Buffer.from(salt, 'base64'), 32), Buffer.from(hash, 'base64'));
}
