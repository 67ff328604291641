import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** Far below what real accounts need: these are public, and an audit logs in hundreds of times. */
const cost = { N: 1_024 };

/** "salt:hash" by scrypt. */
export function hashPassword(password: string): string {
  const salt = randomBytes(16);
  return `${salt.toString('base64')}:${scryptSync(password, salt, 32, cost).toString('base64')}`;
}

export function isPassword(stored: string, password: string): boolean {
  const [salt = '', hash = ''] = stored.split(':');
  return timingSafeEqual(scryptSync(password, Buffer.from(salt, 'base64'), 32, cost), Buffer.from(hash, 'base64'));
}
