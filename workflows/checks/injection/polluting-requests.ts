import type { HttpAction } from '../../model/experiment.ts';
import { parseJson } from '../../model/json.ts';
import type { InputSurface, Surface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { loginsOf } from '../logins/login.ts';
import { byRole } from '../sessions/roles.ts';

/** A request that sends an object in JSON, and who sends it: "" for nobody. */
export type JsonRequest = { identity: string; input: InputSurface };

/** What an object is given that an application merges into its own: members of the prototype of all, under one of its names. */
export type Prototype = 'proto' | 'constructor';
export type PrototypeMembers = Record<string, string | number | boolean>;

const maxRequests = 20;

/** Requests with an object in JSON, each as the first visitor who is shown it, but for those that let somebody in. */
export function jsonRequests(context: CheckContext): JsonRequest[] {
  const users = byRole(context).users.map(({ name }) => name);
  const found = new Map<string, JsonRequest>();
  for (const identity of ['', ...users])
    for (const input of jsonInputs(identity === '' ? context.surface : context.surfaces[identity], context.writes)) {
      const place = `${input.method} ${input.route}`;
      if (!found.has(place)) found.set(place, { identity, input });
    }
  return likeliest(
    context,
    [...found.values()].map((each) => ({ ...each, url: each.input.url })),
    maxRequests,
    'requests that send an object in JSON',
  );
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
