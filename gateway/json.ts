import {
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
  getOption,
  isMessage,
  type MessageShape,
} from '@bufbuild/protobuf';
import { isReflectMessage, type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { FeatureSet_FieldPresence, TimestampSchema, timestampDate } from '@bufbuild/protobuf/wkt';
import type { Json } from '../kit/json.ts';
import { type ReasonName, reasonName } from '../kit/reasons.ts';
import { field as fieldOption } from '../proto/gen/scanaudit/v1/options_pb.ts';
import { wordOf } from './enum-words.ts';
import type { Issues } from './issues.ts';
import { nearest } from './nearest.ts';
import { type Element, elementOf, valueFromJson } from './values.ts';

/** Some fields have a reason of their own. */
function reasonOf(field: DescField): ReasonName {
  return reasonName(getOption(field, fieldOption).reason) ?? 'INVALID_BODY';
}

/**
 * A message as REST JSON: lowerCamelCase names, enum values as lower-case words, times in RFC 3339.
 * Lists and fields without presence are always written, so that callers need no defaults;
 * unset fields with presence and unspecified enum values are left out.
 */
export function toRestJson<D extends DescMessage>(desc: D, message: MessageShape<D>): { [name: string]: Json } {
  return writeMessage(reflect(desc, message));
}

/**
 * Fills `message` from the JSON of a request, and adds what is wrong with it to `issues`.
 * Unknown and proto names, null, numbers for enum values and lossy conversions are all refused.
 * @param path of the message in the request, "" for the request itself
 * @param omit fields that have come another way, such as path parameters: unknown here
 */
export function readRestJson(
  message: ReflectMessage,
  json: Json,
  issues: Issues,
  path = '',
  omit: ReadonlySet<string> = new Set(),
): void {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    issues.add('INVALID_BODY', path, 'must be a JSON object');
    return;
  }
  const fields = new Map(message.fields.filter(({ name }) => !omit.has(name)).map((field) => [field.jsonName, field]));
  for (const [name, value] of Object.entries(json)) {
    const at = path === '' ? name : `${path}.${name}`;
    const field = fields.get(name);
    if (field) readField(message, field, value, at, issues);
    else issues.add('UNKNOWN_FIELD', at, unknownName(name, fields.keys()));
  }
}

function writeMessage(message: ReflectMessage): { [name: string]: Json } {
  const json: { [name: string]: Json } = {};
  for (const field of message.fields) {
    const value = writeField(message, field);
    if (value !== undefined) json[field.jsonName] = value;
  }
  return json;
}

function writeField(message: ReflectMessage, field: DescField): Json | undefined {
  if (field.fieldKind === 'list') {
    return [...message.get(field)].map((item) => writeOne(field.enum, item)).filter((item) => item !== undefined);
  }
  if (field.presence !== FeatureSet_FieldPresence.IMPLICIT && !message.isSet(field)) return undefined;
  return writeOne(field.enum, message.get(field));
}

function writeOne(enumeration: DescEnum | undefined, value: unknown): Json | undefined {
  if (enumeration) return wordOf(enumeration, Number(value));
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (!isReflectMessage(value)) throw new TypeError(`a ${typeof value} has no form in REST JSON`);
  if (isMessage(value.message, TimestampSchema)) return timestampDate(value.message).toISOString();
  return writeMessage(value);
}

/** What to say about a name that is not known, with the known one that was probably meant. */
export function unknownName(name: string, known: Iterable<string>): string {
  const meant = nearest(name, known);
  return meant === undefined ? 'is not known here' : `is not known here; did you mean "${meant}"?`;
}

function readField(message: ReflectMessage, field: DescField, json: Json, at: string, issues: Issues): void {
  const reason = reasonOf(field);
  const element = elementOf(field);
  const rival = field.oneof && message.oneofCase(field.oneof);
  if (rival) issues.add(reason, at, `cannot be given together with ${rival.jsonName}`);
  else if (field.fieldKind !== 'list') readOne(element, json, at, reason, issues, (value) => message.set(field, value));
  else if (Array.isArray(json)) {
    const list = message.get(field);
    for (const [index, item] of json.entries())
      readOne(element, item, `${at}[${index}]`, reason, issues, (value) => list.add(value));
  } else issues.add(reason, at, 'must be a list');
}

function readOne(
  element: Element,
  json: Json,
  at: string,
  reason: ReasonName,
  issues: Issues,
  store: (value: unknown) => void,
): void {
  if (element.kind === 'message') {
    const inner = reflect(element.message, create(element.message));
    readRestJson(inner, json, issues, at);
    store(inner);
    return;
  }
  const result = valueFromJson(element, json);
  if ('expected' in result) issues.add(reason, at, result.expected);
  else store(result.value);
}
