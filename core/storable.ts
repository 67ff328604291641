import type { JsonValue } from '@bufbuild/protobuf';

/** PostgreSQL's text has no place for U+0000, which audited hosts do send; it becomes U+FFFD. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd');

/** A JSON value with all its texts and names storable. */
export function storableJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable(name), storableJson(member)]));
}
