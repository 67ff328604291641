/** What the browser's agent types where it has nothing better. */
export const isTyped = (value: string): boolean => /^test+$/i.test(value);

/** What it types where a password goes in. */
export const isTypedPassword = (value: unknown): boolean => value === 'Audit-pass-1';

/** The kind of field that the agent has typed a value into; what it has not typed is no field that is shown. */
export function typedInto(value: unknown): 'password' | 'email' | 'text' | 'hidden' {
  if (isTypedPassword(value)) return 'password';
  if (typeof value !== 'string' || !(isTyped(value) || value.includes('@'))) return 'hidden';
  return value.includes('@') ? 'email' : 'text';
}

/** Addresses, dates, identifiers and names of constants are no free texts. */
export const isFreeText = (sample: string): boolean =>
  !/^(?:https?:|[^\s@]+@[^\s@]+$|\d{4}-\d{2}-\d{2}|[0-9a-f-]{20,}$|true$|false$)/i.test(sample) &&
  !/^[A-Z][A-Z0-9_]+$/.test(sample);
