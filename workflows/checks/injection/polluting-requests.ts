import { claim, type HttpAction, type WritePlan } from '../../model/experiment.ts';
import { parseJson } from '../../model/json.ts';
import { pointerTo } from '../../model/json-pointer.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { loginsOf } from '../logins/login.ts';
import { byRole } from '../sessions/roles.ts';
import { replacingForms } from './replacing-requests.ts';

/** A request that sends an object in JSON, and who sends it: "" for nobody. */
export type JsonRequest = {
  identity: string;
  input: InputSurface;
  /** It replaces a thing, which is put back. */
  plan?: Pick<WritePlan, 'undo' | 'verify'>;
};

/** What an object is given that an application merges into its own: members of the prototype of all, under one of its names. */
export type Prototype = 'proto' | 'constructor';
export type PrototypeMembers = Record<string, string | number | boolean>;

const maxRequests = 20;

/**
 * Requests with an object in JSON, each as the first visitor who is shown it, but for those that let somebody in. Those that replace a
 * thing which the same address shows send what is there already.
 * @throws ProbeError
 */
export async function jsonRequests(context: CheckContext): Promise<JsonRequest[]> {
  const accounts = byRole(context).users;
  const users = accounts.map(({ name }) => name);
  const found = new Map<string, JsonRequest>();
  for (const identity of ['', ...users])
    for (const input of jsonInputs(identity === '' ? context.surface : context.surfaces[identity], context.writes)) {
      const place = `${input.method} ${input.route}`;
      if (!found.has(place)) found.set(place, { identity, input });
    }
  if (context.writes === 'create')
    for (const { identity, inputs, plan } of await replacingForms(context, accounts)) {
      const [input] = inputs;
      const place = `${input?.method} ${input?.route}`;
      if (input && plan && !found.has(place)) found.set(place, { identity, input, plan: byValues(plan) });
    }
  return likeliest(
    context,
    [...found.values()].map((each) => ({ ...each, url: each.input.url })),
    maxRequests,
    'requests that send an object in JSON',
  );
}

/**
 * The same plan with a claim for each value: a merge that goes through inherited members, too, makes the one of the prototype a member
 * of each object that it merges, and takes none away.
 */
function byValues(plan: NonNullable<JsonRequest['plan']>): NonNullable<JsonRequest['plan']> {
  const expect = plan.verify.expect.flatMap((each) => {
    const { subject, operator, expected } = each;
    if (operator !== 'equals' || !subject.startsWith(inJson)) return [each];
    const at = subject.slice(inJson.length);
    return valuesIn(parseJson(expected)).map(({ pointer, value }) =>
      claim(`${inJson}${at}${pointer}`, 'equals', JSON.stringify(value)),
    );
  });
  const [first, ...others] = expect;
  return first ? { ...plan, verify: { ...plan.verify, expect: [first, ...others] } } : plan;
}

const inJson = 'body:json:';

function valuesIn(value: unknown, pointer = ''): { pointer: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ pointer, value }];
  return Object.entries(value).flatMap(([name, each]) => valuesIn(each, pointer + pointerTo(name)));
}

function jsonInputs(surface: Surface | undefined, writes: CheckContext['writes']): InputSurface[] {
  if (!surface) return [];
  const logins = new Set(loginsOf(surface).map(({ input }) => input.url));
  // What the write gate refuses is not sent; that there is such a request is said all the same.
  const inputs = [...surface.inputs, ...(writes === 'create' ? [] : (surface.heldInputs ?? []))];
  return inputs.filter(
    (input) =>
      input.in === 'body' &&
      /^(?:POST|PUT|PATCH)$/.test(input.method) &&
      input.contentType?.startsWith('application/json') === true &&
      input.json?.literal === undefined &&
      !logins.has(input.url) &&
      isObject(parseJson(inputAction(input, input.sample).body ?? '')),
  );
}

/** The request as it is, and with members for the prototype in each of its objects: which of them is merged nobody knows. */
export function pollutingAction(
  input: OpenedInput,
  prototype: Prototype | 'misspelt',
  members: PrototypeMembers,
): HttpAction {
  const action = inputAction(input, input.sample);
  const added: [name: string, value: unknown] =
    prototype === 'constructor'
      ? ['constructor', { prototype: members }]
      : [prototype === 'proto' ? '__proto__' : '__prot__', members];
  return { ...action, body: JSON.stringify(withEach(parseJson(action.body ?? ''), added)) };
}

function withEach(value: unknown, [name, added]: readonly [string, unknown]): unknown {
  if (Array.isArray(value)) return value.map((each) => withEach(each, [name, added]));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withEach(each, [name, added])] as const);
  // Assigned, the name of the prototype would make no member.
  return Object.fromEntries([[name, added] as const, ...entries]);
}

/** The same request with a text that is no JSON. */
export const unparsableAction = (input: OpenedInput): HttpAction => ({
  ...inputAction(input, input.sample),
  body: '{"‹nonce9›',
});

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
