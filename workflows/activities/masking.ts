import type { FindingInit } from '../checks/finding.ts';
import { mask } from '../proof/mask.ts';

/** Shorter values stand in any text by chance; masking them would garble it and hide nothing. */
const minLength = 5;

/** The findings with every known secret masked, wherever it stands: a session id in a URL is a place, too. */
export function withoutSecrets(findings: readonly FindingInit[], secrets: readonly string[]): FindingInit[] {
  const known = [...new Set(secrets)].filter(({ length }) => length >= minLength).sort((a, b) => b.length - a.length);
  return known.length === 0 ? [...findings] : findings.map((finding) => masked(finding, known));
}

function masked<T>(value: T, secrets: readonly string[]): T {
  if (typeof value === 'string') {
    return secrets.reduce<string>((text, secret) => text.replaceAll(secret, () => mask(secret)), value) as T;
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((member: unknown) => masked(member, secrets)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member, secrets)])) as T;
}
