import type { FindingInit } from '../checks/finding.ts';
import { mask } from '../proof/mask.ts';

/** Shorter values stand in any text by chance; masking them would garble it and hide nothing. */
const minLength = 5;

/** The findings with every known secret masked. */
export const withoutSecrets = (findings: readonly FindingInit[], secrets: readonly string[]): FindingInit[] =>
  masked([...findings], secrets);

/** What is stored with every known secret masked, wherever it stands: a session id in a URL is a place, too. */
export function masked<T>(value: T, secrets: readonly string[]): T {
  const known = [...new Set(secrets)].filter(({ length }) => length >= minLength).sort((a, b) => b.length - a.length);
  return known.length === 0 ? value : maskedBy(known, value);
}

function maskedBy<T>(secrets: readonly string[], value: T): T {
  if (typeof value === 'string') {
    return secrets.reduce<string>((text, secret) => text.replaceAll(secret, () => mask(secret)), value) as T;
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((member: unknown) => maskedBy(secrets, member)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskedBy(secrets, member)])) as T;
}
