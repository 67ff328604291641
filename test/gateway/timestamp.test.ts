import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseTimestamp } from '../../gateway/timestamp.ts';

const test = suite('parseTimestamp');

const valid: [text: string, iso: string, nanos: number][] = [
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z', 0],
  ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z', 500_000_000],
  ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123Z', 123_456_789],
  ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z', 0],
  ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z', 0],
  ['2026-01-31T12:00:00-05:30', '2026-01-31T17:30:00.000Z', 0],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z', 0],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', 0],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z', 0],
];
for (const [text, iso, nanos] of valid) {
  test(`reads ${text}`, () => {
    const timestamp = parseTimestamp(text);
    assert.is(timestamp?.nanos, nanos);
    const ms = Number(timestamp?.seconds) * 1000 + Math.floor(nanos / 1e6);
    assert.is(new Date(ms).toISOString(), iso);
  });
}

const invalid = [
  '',
  '2026-01-31',
  '2026-01-31T12:00:00',
  '2026-01-31 12:00:00Z',
  '2026-01-31T12:00Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T23:60:00Z',
  '2016-12-31T23:59:60Z',
  '2026-01-31T12:00:00+24:00',
  '2026-01-31T12:00:00 02:00',
  '2026-01-31T12:00:00.1234567891Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '1769860800',
];
for (const text of invalid) {
  test(`refuses "${text}"`, () => {
    assert.is(parseTimestamp(text), undefined);
  });
}

test.run();
