import type { Schema } from './schemas.ts';

/** Deep enough for every answer; a message that holds itself ends there. */
const maxDepth = 16;

const time = '2026-01-31T12:00:00Z';

/** A value that fits a schema: its own example where it has one, the first of its words, or something plain. */
export function exampleOf(schema: Schema, schemas: Record<string, Schema>, depth = 0): unknown {
  const { $ref, type, examples, format } = schema;
  if (typeof $ref === 'string') return exampleOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas, depth);
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (type === 'object') return objectExample(schema, schemas, depth);
  if (type === 'array') return depth >= maxDepth ? [] : [exampleOf(schema.items as Schema, schemas, depth + 1)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return format === 'date-time' ? time : 'text';
}

function objectExample(schema: Schema, schemas: Record<string, Schema>, depth: number): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const [choice] = (schema.oneOf ?? []) as { required: string[] }[];
  const others = ((schema.oneOf ?? []) as { required: string[] }[]).slice(1).flatMap(({ required }) => required);
  const wanted = choice ? properties.filter(([name]) => !others.includes(name)) : properties;
  if (depth >= maxDepth) return {};
  return Object.fromEntries(wanted.map(([name, each]) => [name, exampleOf(each, schemas, depth + 1)]));
}
