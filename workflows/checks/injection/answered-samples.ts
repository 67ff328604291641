import { parseJson } from '../../model/json.ts';
import { isTyped } from '../../model/typed-text.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { once } from './asked-once.ts';
import { askerOf } from './sql-decision.ts';

/** Longer texts are contents, by which nothing is looked up. */
const maxValueLength = 60;
/** Parts of an answer that are looked through. */
const maxParts = 2_000;

/**
 * An input of JSON with a value that the site itself gives for it. What the browser's agent has typed into the fields beside it finds
 * nothing, so that nothing could be seen to change: it is left out, and the answer to that has members by the names of the fields.
 * Undefined where there is no such field, or no such member.
 */
export const withAnsweredSample = once('answered with', answeredSample);

async function answeredSample(context: CheckContext, input: OpenedInput): Promise<OpenedInput | undefined> {
  const { json, parameter, sample } = input;
  if (!json || json.literal !== undefined || !(sample === '' || isTyped(sample))) return undefined;
  const body = JSON.stringify(parseJson(json.body), (_name, value) =>
    typeof value === 'string' && isTyped(value) ? '' : value,
  );
  const emptied: OpenedInput = { ...input, sample: '', json: { ...json, body } };
  const { status, text } = await askerOf(context, emptied)('');
  const value = status === 200 ? memberIn(parseJson(text), parameter.split('.').at(-1) ?? parameter) : undefined;
  return value === undefined ? undefined : { ...emptied, sample: value };
}

/** The first value that a member of this name has, wherever it stands. */
function memberIn(answer: unknown, name: string): string | undefined {
  const parts: unknown[] = [answer];
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue;
    const value: unknown = Reflect.get(part, name);
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value !== '' && value.length <= maxValueLength) return value;
    if (parts.length < maxParts) parts.push(...Object.values(part).slice(0, maxParts));
  }
  return undefined;
}
