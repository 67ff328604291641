import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf';
import { isReflectMessage, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { type ReasonName, reasonName } from '../../kit/reasons.ts';
import { type Field, field as fieldOption } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { invalid, type Refusal } from '../errors.ts';

type Limits = Field & { regExp: RegExp | undefined; refusedAs: ReasonName };

/**
 * Whether a message is what the contract says of its fields (option `field`).
 * @param path of the message in the request with a dot behind it, "" for the request itself
 * @throws Refusal INVALID_PARAMETER or the reason that the option names
 */
export function checkLimits(message: ReflectMessage, path: string): void {
  for (const [field, limits] of limitsOf(message.desc)) {
    const at = `${path}${field.jsonName}`;
    if (!message.isSet(field)) {
      if (limits.required) throw refusal(limits, at, 'give it');
      continue;
    }
    if (field.fieldKind !== 'list') checkValue(message.get(field), limits, at);
    else {
      const list = message.get(field);
      if (limits.maxItems > 0 && list.size > limits.maxItems)
        throw refusal(limits, at, `give at most ${limits.maxItems}`);
      for (const [index, item] of list.entries()) checkValue(item, limits, `${at}[${index}]`);
    }
  }
}

function checkValue(value: unknown, limits: Limits, at: string): void {
  const wrong = typeof value === 'number' ? wrongNumber(value, limits) : wrongText(value, limits);
  if (wrong !== undefined) throw refusal(limits, at, wrong);
}

function wrongNumber(value: number, { min, max }: Limits): string | undefined {
  if ((min === undefined || value >= min) && (max === undefined || value <= max)) return undefined;
  if (min === undefined) return `use at most ${max}`;
  return max === undefined ? `use at least ${min}` : `use ${min} to ${max}`;
}

function wrongText(value: unknown, { minLength, maxLength, regExp, example }: Limits): string | undefined {
  if (value instanceof Uint8Array)
    return maxLength > 0 && value.byteLength > maxLength ? `give at most ${maxLength} bytes` : undefined;
  if (typeof value !== 'string' || isReflectMessage(value)) return undefined;
  const length = codePoints(value);
  if (length < minLength || (maxLength > 0 && length > maxLength))
    return maxLength > 0 ? `use ${minLength} to ${maxLength} characters` : `use at least ${minLength} characters`;
  return regExp === undefined || regExp.test(value) ? undefined : `use the form of "${example}"`;
}

/** Characters as JSON Schema and PostgreSQL count them: without the second halves of surrogate pairs. */
function codePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at += 1) if (isLow(text, at) && isHigh(text, at - 1)) count -= 1;
  return count;
}

const isHigh = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;
const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

const refusal = ({ refusedAs }: Limits, at: string, message: string): Refusal => invalid(refusedAs, at, message);

const known = new WeakMap<DescMessage, (readonly [DescField, Limits])[]>();

function limitsOf(message: DescMessage): (readonly [DescField, Limits])[] {
  const made = known.get(message) ?? message.fields.flatMap((field) => readLimits(field));
  known.set(message, made);
  return made;
}

function readLimits(field: DescField): [DescField, Limits][] {
  const option = getOption(field, fieldOption);
  const reason = reasonName(option.reason) ?? 'INVALID_PARAMETER';
  return isLimited(option) ? [[field, { ...option, regExp: regExpOf(option), refusedAs: reason }]] : [];
}

const isLimited = ({ required, min, max, minLength, maxLength, pattern, maxItems }: Field): boolean =>
  required || min !== undefined || max !== undefined || minLength + maxLength + maxItems > 0 || pattern !== '';

const regExpOf = ({ pattern }: Field): RegExp | undefined => (pattern === '' ? undefined : new RegExp(pattern, 'u'));
