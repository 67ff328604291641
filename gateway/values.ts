import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Json } from '../kit/json.ts';
import { numberOf, wordsOf } from './enum-words.ts';
import { parseTimestamp } from './timestamp.ts';

/** Type of one value: of a field, or of an item of a repeated one. */
export type Element = Value | { kind: 'message'; message: DescMessage };

type Value = { kind: 'bool' } | { kind: 'int32' } | { kind: 'double' } | TextValue;
type TextValue = { kind: 'string' } | { kind: 'timestamp' } | { kind: 'enum'; enum: DescEnum };

/** A value, or what it should have been, as the end of a sentence that begins with the field's name. */
type Parsed = { value: unknown } | { expected: string };

const scalars: Partial<Record<ScalarType, Value>> = {
  [ScalarType.STRING]: { kind: 'string' },
  [ScalarType.BOOL]: { kind: 'bool' },
  [ScalarType.INT32]: { kind: 'int32' },
  [ScalarType.DOUBLE]: { kind: 'double' },
};

/** @throws TypeError for types that REST does not use: 64-bit integers, bytes, maps */
export function elementOf(field: DescField): Element {
  if (field.enum) return { kind: 'enum', enum: field.enum };
  if (field.message && field.fieldKind !== 'map') {
    const isTimestamp = field.message.typeName === TimestampSchema.typeName;
    return isTimestamp ? { kind: 'timestamp' } : { kind: 'message', message: field.message };
  }
  const scalar = field.fieldKind === 'map' || field.scalar === undefined ? undefined : scalars[field.scalar];
  if (!scalar) throw new TypeError(`${field.toString()} has a type that REST cannot carry`);
  return scalar;
}

export function valueFromJson(element: Value, json: Json): Parsed {
  switch (element.kind) {
    case 'bool':
      return typeof json === 'boolean' ? { value: json } : { expected: 'must be true or false' };
    case 'int32':
      return isInt32(json) ? { value: json } : { expected: 'must be a whole number' };
    case 'double':
      return typeof json === 'number' && Number.isFinite(json) ? { value: json } : { expected: 'must be a number' };
    default:
      return typeof json === 'string' ? valueFromString(element, json) : { expected: expectation(element) };
  }
}

/** The value of a query or path parameter. */
export function valueFromText(element: Value, text: string): Parsed {
  switch (element.kind) {
    case 'bool':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { expected: 'must be true or false' };
    case 'int32':
      return /^-?(0|[1-9]\d{0,9})$/.test(text) && isInt32(Number(text))
        ? { value: Number(text) }
        : { expected: 'must be a whole number' };
    case 'double':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? { value: Number(text) } : { expected: 'must be a number' };
    default:
      return valueFromString(element, text);
  }
}

function valueFromString(element: TextValue, text: string): Parsed {
  // A lone surrogate has no UTF-8 form, so protobuf cannot carry it.
  if (element.kind === 'string') return text.isWellFormed() ? { value: text } : { expected: 'must be valid Unicode' };
  const value = element.kind === 'enum' ? numberOf(element.enum, text) : timestampFrom(text);
  return value === undefined ? { expected: expectation(element) } : { value };
}

function timestampFrom(text: string): ReflectMessage | undefined {
  const timestamp: Timestamp | undefined = parseTimestamp(text);
  return timestamp && reflect(TimestampSchema, timestamp);
}

function expectation(element: TextValue): string {
  if (element.kind === 'string') return 'must be a string';
  if (element.kind === 'timestamp') return 'must be an RFC 3339 time, for instance 2026-01-31T12:00:00Z';
  return `must be one of ${wordsOf(element.enum).join(', ')}`;
}

function isInt32(json: unknown): json is number {
  return typeof json === 'number' && Number.isInteger(json) && (json | 0) === json;
}
