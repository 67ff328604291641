import protobuf from 'protobufjs';

/** A request in the words of REST as protobufjs takes it: "deep" becomes DEPTH_DEEP, times become seconds and nanos. */
export function toProto(type: protobuf.Type, value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, given]) => {
      const field = type.fields[name];
      if (!field) throw new Error(`${type.name} has no ${name}`);
      return [name, Array.isArray(given) ? given.map((item) => toProtoValue(field, item)) : toProtoValue(field, given)];
    }),
  );
}

function toProtoValue(field: protobuf.Field, value: unknown): unknown {
  const type = field.resolve().resolvedType;
  if (type instanceof protobuf.Enum && typeof value === 'string') {
    const name = Object.keys(type.values).find((candidate) => wordOf(type, candidate) === value);
    if (name === undefined) throw new Error(`${type.name} has no ${value}`);
    return type.values[name];
  }
  if (!(type instanceof protobuf.Type)) return value;
  if (type.fullName === '.google.protobuf.Timestamp') {
    const ms = Date.parse(String(value));
    return { seconds: Math.floor(ms / 1000), nanos: (ms - Math.floor(ms / 1000) * 1000) * 1e6 };
  }
  return toProto(type, value as object);
}

/** An answer in the words of REST, as the design has them: made here a second time, so that REST can be held against it. */
export function fromProto(message: protobuf.Message): Record<string, unknown> {
  const type = message.$type;
  const plain = type.toObject(message, { defaults: true, arrays: true, longs: Number, enums: String });
  return fromFields(type, plain);
}

function fromFields(type: protobuf.Type, plain: Record<string, unknown>): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(plain)) {
    const field = type.fields[name];
    // Virtual fields of a oneof have no descriptor; a message that is not set is null.
    if (!field || value === null) continue;
    const word = Array.isArray(value) ? value.map((item) => fromValue(field, item)) : fromValue(field, value);
    if (word !== undefined) json[name] = word;
  }
  return json;
}

function fromValue(field: protobuf.Field, value: unknown): unknown {
  const type = field.resolve().resolvedType;
  if (type instanceof protobuf.Enum) return type.values[String(value)] === 0 ? undefined : wordOf(type, String(value));
  if (!(type instanceof protobuf.Type)) return value;
  const plain = value as Record<string, unknown>;
  if (type.fullName !== '.google.protobuf.Timestamp') return fromFields(type, plain);
  return new Date(Number(plain.seconds) * 1000 + Number(plain.nanos) / 1e6).toISOString();
}

/** THRESHOLD_NONE of enum Threshold is "none". */
function wordOf(type: protobuf.Enum, name: string): string {
  const prefix = `${type.name.replace(/(?<!^)([A-Z])/g, '_$1').toUpperCase()}_`;
  return name.slice(prefix.length).toLowerCase();
}

/** Facts of a refusal from its google.rpc.Status, under the names that REST has for them. */
export function detailsOf(root: protobuf.Root, status: unknown): { reason: string; facts: Record<string, unknown> } {
  const facts: Record<string, unknown> = {};
  let reason = 'NONE';
  if (!(status instanceof Uint8Array)) return { reason, facts };
  const { details } = fromAnyList(root, status);
  for (const { name, value } of details) {
    if (name === 'google.rpc.ErrorInfo') {
      reason = String(value.reason);
      for (const known of ['requiredScope', 'requiredEntitlement', 'scanStatus']) {
        const fact = (value.metadata as Record<string, string>)[known];
        if (fact !== undefined) facts[known] = fact;
      }
    }
    if (name === 'google.rpc.BadRequest') facts.errors = violationsOf(value);
    if (name === 'google.rpc.RetryInfo') facts['retry-after'] = secondsOf(value.retryDelay);
    if (name === 'scanaudit.v1.OwnershipRequired') Object.assign(facts, { needsOwnership: true, ownership: value });
    if (name === 'scanaudit.v1.CheckoutHint') facts.checkoutHint = value;
  }
  return { reason, facts };
}

function violationsOf(badRequest: Record<string, unknown>): object[] {
  const violations = badRequest.fieldViolations as { field: string; description: string }[];
  return violations.map(({ field, description }) => ({ field, message: description }));
}

function secondsOf(duration: unknown): number {
  const { seconds, nanos } = duration as { seconds: number; nanos: number };
  return Math.max(1, Math.ceil(seconds + nanos / 1e9));
}

function fromAnyList(root: protobuf.Root, bytes: Uint8Array) {
  const status = root.lookupType('google.rpc.Status').decode(bytes) as unknown as {
    details: { type_url: string; value: Uint8Array }[];
  };
  return {
    details: status.details.map(({ type_url, value }) => {
      const name = type_url.split('/').at(-1) ?? '';
      const type = root.lookupType(name);
      const plain = type.toObject(type.decode(value), { defaults: true, arrays: true, objects: true, longs: Number });
      return { name, value: Object.fromEntries(Object.entries(plain).filter(([key]) => !key.startsWith('_'))) };
    }),
  };
}
