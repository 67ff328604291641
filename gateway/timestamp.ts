import { create } from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';

const shape =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * Reads an RFC 3339 date-time. Undefined for any other text, for days that no calendar has, for leap seconds
 * (which protobuf cannot hold) and for moments outside of the years 1 to 9999.
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = shape.exec(text);
  if (!match) return undefined;
  const [, date = '', hours, minutes, seconds, fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match;
  const midnight = new Date(`${date}T00:00:00Z`);
  // V8 reads February 30 as March 1.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return undefined;
  const offsetSeconds = (sign === '-' ? -60 : 60) * (Number(offsetHours) * 60 + Number(offsetMinutes));
  const clockSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const total = midnight.getTime() / 1000 + clockSeconds - offsetSeconds;
  if (total < firstSecond || total > lastSecond) return undefined;
  return create(TimestampSchema, { seconds: BigInt(total), nanos: Number(fraction.padEnd(9, '0')) });
}

/** Bounds of google.protobuf.Timestamp, in seconds since 1970. */
const firstSecond = Date.parse('0001-01-01T00:00:00Z') / 1000;
const lastSecond = Date.parse('9999-12-31T23:59:59Z') / 1000;
