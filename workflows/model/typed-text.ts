/** What the browser's agent types where it has nothing better. */
export const isTyped = (value: string): boolean => /^test+$/i.test(value);

/** What it types where a password goes in. */
export const isTypedPassword = (value: unknown): boolean => value === 'Audit-pass-1';

/** Addresses, dates, identifiers and names of constants are no free texts. */
export const isFreeText = (sample: string): boolean =>
  !/^(?:https?:|[^\s@]+@[^\s@]+$|\d{4}-\d{2}-\d{2}|[0-9a-f-]{20,}$|true$|false$)/i.test(sample) &&
  !/^[A-Z][A-Z0-9_]+$/.test(sample);
