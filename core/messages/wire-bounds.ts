import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** What a message may hold before it is parsed: memory and time grow with its records, far less with its bytes. */
type WireBounds = { maxDepth: number; maxRecords: number };

/** No message of the contract is nested more than ten deep. */
const maxDepth = 32;

/** Of a caller: the largest requests have ten documents and a hundred URLs. */
export const callerBounds: WireBounds = { maxDepth, maxRecords: 50_000 };
/** Of a worker, which reports a hundred findings a call, each with up to 500 places. */
export const workerBounds: WireBounds = { maxDepth, maxRecords: 1_000_000 };

/**
 * Looks through a message in protobuf's binary form without parsing it, and stops at the first bound that is exceeded.
 * What is malformed is left to the parser.
 * @returns what is wrong, as the end of a sentence; undefined when nothing is
 */
export function excessOnWire(desc: DescMessage, bytes: Uint8Array, bounds: WireBounds): string | undefined {
  const left = { records: bounds.maxRecords };
  try {
    scan(desc, new BinaryReader(bytes), bytes.byteLength, bounds.maxDepth, left);
  } catch (error) {
    if (error instanceof Excess) return error.message;
  }
  return left.records < 0 ? `has more than ${bounds.maxRecords} fields and items` : undefined;
}

class Excess extends Error {}

function scan(desc: DescMessage, reader: BinaryReader, end: number, depth: number, left: { records: number }): void {
  if (depth === 0) throw new Excess('is nested too deeply');
  const fields = fieldsOf(desc);
  while (reader.pos < end && left.records >= 0) {
    const [number, wireType] = reader.tag();
    left.records -= 1;
    const field = fields.get(number);
    if (wireType !== WireType.LengthDelimited) {
      // What is in a group follows as records of their own.
      if (wireType !== WireType.StartGroup && wireType !== WireType.EndGroup) reader.skip(wireType, number);
      continue;
    }
    const length = reader.uint32();
    const next = reader.pos + length;
    if (field?.message && next <= end) scan(field.message, reader, next, depth - 1, left);
    else if (field && isPacked(field)) left.records -= length;
    reader.pos = next;
  }
}

/** Numbers of a list, one after the other: each has a byte at least. */
const isPacked = (field: DescField): boolean =>
  field.fieldKind === 'list' &&
  (field.listKind === 'enum' ||
    (field.listKind === 'scalar' && field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES));

const known = new WeakMap<DescMessage, Map<number, DescField>>();

function fieldsOf(desc: DescMessage): Map<number, DescField> {
  const made = known.get(desc) ?? new Map(desc.fields.map((field) => [field.number, field]));
  known.set(desc, made);
  return made;
}
