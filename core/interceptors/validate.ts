import { type DescEnum, type DescField, type DescMessage, isMessage, type Message } from '@bufbuild/protobuf';
import { isReflectMessage, type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Interceptor } from '@connectrpc/connect';
import { callerKey } from '../context.ts';
import { invalid } from '../errors.ts';
import { checkLimits } from './field-limits.ts';
import { onEach } from './stream.ts';

/**
 * What holds for every message, whatever it says: its fields are within the limits of the contract, enum values are
 * ones that the contract knows, times are times, and text is text that PostgreSQL can hold, which is any but U+0000. What
 * else a single field may say is its rule's matter.
 * A worker's text is what hostile hosts sent: it is mended where it is stored (core/storable.ts), not refused.
 */
export const validate: Interceptor = (next) => (request) => {
  const mayHoldNul = request.contextValues.get(callerKey)?.kind === 'worker';
  const look = (message: Message) => checkRequest(request.method.input, message, mayHoldNul);
  if (request.stream) return next({ ...request, message: onEach(request.message, look) });
  look(request.message);
  return next(request);
};

/** @throws Refusal INVALID_PARAMETER or the reason that the contract names for a field */
export const checkRequest = (schema: DescMessage, message: Message, mayHoldNul: boolean): void =>
  checkMessage(reflect(schema, message), '', mayHoldNul);

function checkMessage(message: ReflectMessage, path: string, mayHoldNul: boolean): void {
  checkLimits(message, path);
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    const { enum: enumeration } = field;
    const check = (value: unknown, at: string) => checkValue(value, at, enumeration, mayHoldNul);
    const at = `${path}${field.jsonName}`;
    if (field.fieldKind === 'list')
      for (const [index, item] of message.get(field).entries()) check(item, `${at}[${index}]`);
    else if (field.fieldKind === 'map') checkMap(message, field, at, check);
    else check(message.get(field), at);
  }
}

function checkMap(
  message: ReflectMessage,
  field: DescField & { fieldKind: 'map' },
  at: string,
  check: (value: unknown, at: string) => void,
): void {
  for (const [key, value] of message.get(field)) {
    check(key, at);
    check(value, `${at}.${key}`);
  }
}

function checkValue(value: unknown, at: string, enumeration: DescEnum | undefined, mayHoldNul: boolean): void {
  if (isReflectMessage(value)) {
    if (isMessage(value.message, TimestampSchema)) checkTime(value.message, at);
    else checkMessage(value, `${at}.`, mayHoldNul);
  } else if (typeof value === 'string' && !mayHoldNul && value.includes('\0'))
    throw invalid('INVALID_PARAMETER', at, 'it must not hold the character U+0000');
  else if (enumeration && typeof value === 'number' && enumeration.value[value] === undefined)
    throw invalid('INVALID_PARAMETER', at, 'there is no such value');
}

/** Bounds of google.protobuf.Timestamp, in seconds since 1970: the years 1 to 9999. */
const firstSecond = BigInt(Date.parse('0001-01-01T00:00:00Z') / 1_000);
const lastSecond = BigInt(Date.parse('9999-12-31T23:59:59Z') / 1_000);

/** The wire holds any number of seconds, and of most there is no date. */
function checkTime({ seconds, nanos }: Timestamp, at: string): void {
  if (seconds < firstSecond || seconds > lastSecond || nanos < 0 || nanos > 999_999_999)
    throw invalid('INVALID_PARAMETER', at, 'use a time in the years 1 to 9999');
}
